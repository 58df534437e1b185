package dev.zarrreactive.metadata;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.CodecKind;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.internal.metadata.V2Codecs;
import dev.zarrreactive.internal.metadata.V2Dtypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the metadata of an array as a {@code .zarray} of Zarr v2. Features that Zarr v2 lacks are
 * refused. The document is read again, and must have the same meaning.
 */
final class V2Document {
  private final ArrayMetadata array;
  private String order = "C";
  private ByteOrder byteOrder = ByteOrder.LITTLE_ENDIAN;
  private final List<JsonValue> filters = new ArrayList<>();
  private @Nullable JsonValue compressor;
  private final boolean noFillValue;

  private V2Document(ArrayMetadata array, boolean noFillValue) {
    this.array = array;
    this.noFillValue = noFillValue;
  }

  /**
   * Returns the metadata in Zarr v2.
   *
   * @param noFillValue whether null is written for the fill value, which is zero
   */
  static ArrayMetadata of(ArrayMetadata array, boolean noFillValue) {
    return new V2Document(array, noFillValue).write();
  }

  private ArrayMetadata write() {
    if (array.dimensionNames().stream().anyMatch(Objects::nonNull)) {
      throw V2Codecs.refused(
          "names of dimensions; put them into the attribute " + DimensionNames.ATTRIBUTE,
          place("dimension_names"));
    }
    writeCodecs();
    DataType type = array.dataType();
    JsonObject document =
        JsonObject.EMPTY
            .with("zarr_format", 2)
            .with("shape", Objects.requireNonNull(array.document().get("shape")))
            .with("chunks", chunks(array.chunkGrid()))
            .with("dtype", V2Dtypes.text(type, byteOrder, place("data_type")))
            .with("compressor", compressor == null ? JsonNull.NULL : compressor)
            .with("fill_value", fillValue())
            .with("order", order)
            .with("filters", filters.isEmpty() ? JsonNull.NULL : new JsonArray(filters))
            .with("dimension_separator", separator(array.chunkKeyEncoding()));
    ArrayMetadata written = withoutTypesize(read(document));
    checkBytesCodec(written);
    return written;
  }

  private JsonValue fillValue() {
    return noFillValue
        ? JsonNull.NULL
        : V2Dtypes.fillValue(array.fillValue(), byteOrder, place("fill_value"));
  }

  private ArrayMetadata read(JsonObject document) {
    return ArrayMetadata.readV2(LocatedJson.of(document), array.attributes(), Leniencies.ofV2());
  }

  /**
   * Drops the member {@code typesize} of blosc if it has the default, since some readers refuse it.
   */
  private ArrayMetadata withoutTypesize(ArrayMetadata written) {
    if (compressor instanceof JsonObject object && object.get("typesize") != null) {
      JsonObject shorter = written.document().with("compressor", object.without("typesize"));
      ArrayMetadata same = read(shorter);
      return same.codecs().equals(written.codecs()) ? same : written;
    }
    return written;
  }

  private void writeCodecs() {
    List<NamedConfiguration> codecs = array.codecs();
    boolean elements = true;
    for (int i = 0; i < codecs.size(); i++) {
      NamedConfiguration codec = codecs.get(i);
      if (i == 0 && isReversal(codec)) {
        order = "F";
      } else if (elements && codec.name().equals("bytes")) {
        elements = false;
        if (new JsonString("big").equals(codec.configuration().object().get("endian"))) {
          byteOrder = ByteOrder.BIG_ENDIAN;
        }
      } else if (!elements && i == codecs.size() - 1) {
        compressor = V2Codecs.write(codec);
      } else {
        elements &= CodecKind.of(codec.name()) != CodecKind.ARRAY_TO_BYTES;
        filters.add(V2Codecs.write(codec));
      }
    }
  }

  private boolean isReversal(NamedConfiguration codec) {
    return codec.name().equals("transpose")
        && V2Array.reversal(array.shape().rank())
            .equals(codec.configuration().object().get("order"));
  }

  /** Checks that the byte orders of the dtype and of the filters result in the requested codec. */
  private void checkBytesCodec(ArrayMetadata written) {
    for (NamedConfiguration codec : array.codecs()) {
      if (codec.name().equals("bytes") && !written.codecs().contains(codec)) {
        throw V2Codecs.refused(
            "the codec "
                + codec
                + " after filters that name another byte order, or for a data type that has none",
            codec.source());
      }
    }
  }

  private LocatedJson place(String member) {
    return LocatedJson.of(array.document()).member(member);
  }

  private static JsonValue chunks(NamedConfiguration grid) {
    if (!grid.name().equals("regular")) {
      throw V2Codecs.refused("the chunk grid \"" + grid.name() + "\"", grid.source());
    }
    return grid.member("chunk_shape").value();
  }

  private static String separator(NamedConfiguration encoding) {
    if (!encoding.name().equals("v2")) {
      throw V2Codecs.refused(
          "the chunk key encoding \"" + encoding.name() + "\"", encoding.source());
    }
    LocatedJson separator = encoding.optional("separator");
    return separator == null ? "." : separator.oneOf(".", "/");
  }
}
