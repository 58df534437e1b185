package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Translates a {@code .zarray} of Zarr v2 to the terms of Zarr v3. Unknown members are ignored. */
public final class V2Array {
  private V2Array() {}

  /** Reads a parsed {@code .zarray}. */
  public static TranslatedArray read(
      LocatedJson zarray, JsonObject attributes, Deviations deviations) {
    checkFormat(zarray);
    long[] shape = zarray.member("shape").integers(0, Long.MAX_VALUE);
    NamedConfiguration chunkGrid = chunkGrid(zarray.member("chunks"), shape, deviations);
    boolean reversed = zarray.member("order").oneOf("C", "F").equals("F");
    List<V2Codec> filters = filters(zarray);
    V2DataType dtype = dataType(zarray.member("dtype"), filters);
    V2FillValue.Read fill = V2FillValue.read(zarray.member("fill_value"), dtype, deviations);

    V2CodecChain chain = new V2CodecChain(zarray.member("dtype"), dtype);
    if (reversed && shape.length > 1 && !V2ObjectType.nestsDimensions(filters)) {
      chain.reverseDimensions(zarray.member("order"), shape.length);
    }
    filters.forEach(chain::add);
    return new TranslatedArray(
        fill.in(zarray),
        Shape.of(shape),
        dtype.dataType(),
        fill.value(),
        chunkGrid,
        chunkKeyEncoding(zarray),
        chain.codecs(),
        attributes);
  }

  /** Checks that a document of Zarr v2 has that version. */
  public static void checkFormat(LocatedJson document) {
    LocatedJson format = document.member("zarr_format");
    if (!format.value().equals(JsonNumber.of(2))) {
      throw format.expected("the integer 2");
    }
  }

  private static V2DataType dataType(LocatedJson dtype, List<V2Codec> filters) {
    return V2ObjectType.is(dtype)
        ? V2ObjectType.read(dtype, filters)
        : V2DataType.read(dtype, V2DataType.Spelling.STRICT);
  }

  /** Returns the chunk grid. For an extent of 0, some programs wrote a chunk extent of 0. */
  public static NamedConfiguration chunkGrid(
      LocatedJson stored, long[] shape, Deviations deviations) {
    LocatedJson chunks =
        new LocatedJson(ChunkExtents.spelled(stored, deviations), stored.location());
    List<LocatedJson> extents = chunks.elements();
    if (extents.size() != shape.length) {
      throw chunks.expected("one extent for each of the " + shape.length + " dimensions");
    }
    List<JsonValue> chunkShape = new ArrayList<>();
    for (int i = 0; i < shape.length; i++) {
      long extent = extents.get(i).integer(shape[i] == 0 ? 0 : 1, Long.MAX_VALUE);
      chunkShape.add(JsonNumber.of(Math.max(1, extent)));
      if (extent == 0) {
        ChunkExtents.noteEmptyChunk(chunks, deviations);
      }
    }
    return NamedConfiguration.of(
        "regular", at(chunks, JsonObject.EMPTY.with("chunk_shape", new JsonArray(chunkShape))));
  }

  private static NamedConfiguration chunkKeyEncoding(LocatedJson zarray) {
    LocatedJson separator = zarray.optional("dimension_separator");
    String text = separator == null ? "." : separator.oneOf(".", "/");
    LocatedJson place = separator == null ? zarray : separator;
    return NamedConfiguration.of(
        "v2", at(place, JsonObject.EMPTY.with("separator", new JsonString(text))));
  }

  /** Returns the filters, and the compressor as the last of them. */
  private static List<V2Codec> filters(LocatedJson zarray) {
    List<V2Codec> codecs = new ArrayList<>();
    LocatedJson filters = zarray.member("filters");
    if (!filters.isNull()) {
      filters.elements().forEach(filter -> codecs.add(V2Codec.read(filter)));
    }
    LocatedJson compressor = zarray.member("compressor");
    if (!compressor.isNull()) {
      codecs.add(V2Codec.read(compressor));
    }
    return codecs;
  }

  private static LocatedJson at(LocatedJson place, JsonObject configuration) {
    return new LocatedJson(configuration, place.location());
  }

  /** Returns the permutation of the dimensions for Fortran order. */
  public static JsonArray reversal(int rank) {
    JsonValue[] order = new JsonValue[rank];
    Arrays.setAll(order, i -> JsonNumber.of(rank - 1 - i));
    return JsonArray.of(order);
  }
}
