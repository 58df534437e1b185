package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the metadata of a new array. The defaults are one chunk of the array's shape, the {@code
 * default} chunk key encoding, the data type's default codec, and a fill value of zero, or empty.
 */
public final class ArrayMetadataBuilder {
  private final Shape shape;
  private final DataType dataType;
  private FillValue fillValue;
  private NamedConfiguration chunkGrid;
  private int zarrFormat = 3;
  private @Nullable NamedConfiguration chunkKeyEncoding;
  private List<NamedConfiguration> codecs;
  private List<@Nullable String> dimensionNames = List.of();
  private JsonObject attributes = JsonObject.EMPTY;

  /** Creates a builder for an array of this shape and data type. */
  public ArrayMetadataBuilder(Shape shape, DataType dataType) {
    this.shape = shape;
    this.dataType = dataType instanceof StructType struct ? struct.toStruct() : dataType;
    this.fillValue = FillValue.zero(dataType);
    this.chunkGrid = regular(Arrays.stream(shape.toArray()).map(n -> Math.max(1, n)).toArray());
    this.codecs = List.of(toBytes(dataType));
  }

  /**
   * Returns the default array→bytes codec of a data type: {@code bytes}, little-endian, or {@code
   * vlen-utf8} and {@code vlen-bytes} for variable-length texts and byte strings.
   */
  public static NamedConfiguration toBytes(DataType dataType) {
    if (dataType instanceof StringType) {
      return NamedConfiguration.of("vlen-utf8");
    } else if (dataType instanceof BytesType) {
      return NamedConfiguration.of("vlen-bytes");
    }
    return NamedConfiguration.of(
        "bytes",
        dataType.hasByteOrder() ? JsonObject.EMPTY.with("endian", "little") : JsonObject.EMPTY);
  }

  private static NamedConfiguration regular(long... chunkShape) {
    return NamedConfiguration.of(
        "regular", JsonObject.EMPTY.with("chunk_shape", numbers(chunkShape)));
  }

  private static JsonArray numbers(long... values) {
    return new JsonArray(Arrays.stream(values).<JsonValue>mapToObj(JsonNumber::of).toList());
  }

  /**
   * Sets the version of Zarr: 2 or 3. {@link #build} then refuses features that Zarr v2 lacks. The
   * default chunk key encoding of Zarr v2 is {@code v2} with the separator {@code .}.
   */
  public ArrayMetadataBuilder zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    this.zarrFormat = format;
    return this;
  }

  /** Sets a regular chunk grid, whose chunks all have this shape. */
  public ArrayMetadataBuilder chunkShape(long... chunkShape) {
    return chunkGrid(regular(chunkShape));
  }

  /** Sets any chunk grid. */
  public ArrayMetadataBuilder chunkGrid(NamedConfiguration grid) {
    this.chunkGrid = grid;
    return this;
  }

  /**
   * Sets the chunk key encoding {@code default} or {@code v2}, with the separator {@code /} or
   * {@code .}.
   */
  public ArrayMetadataBuilder chunkKeyEncoding(String name, String separator) {
    this.chunkKeyEncoding =
        NamedConfiguration.of(name, JsonObject.EMPTY.with("separator", separator));
    return this;
  }

  /** Sets the fill value. */
  public ArrayMetadataBuilder fillValue(FillValue value) {
    if (!value.dataType().equals(dataType)) {
      throw new IllegalArgumentException(
          "a fill value of " + value.dataType() + " for an array of " + dataType);
    }
    this.fillValue = value;
    return this;
  }

  /** Sets the fill value, in the form that it has in metadata. */
  public ArrayMetadataBuilder fillValue(JsonValue value) {
    return fillValue(dataType.parseFillValue(LocatedJson.of(value)));
  }

  /** Sets the whole codec chain, in the order of encoding. */
  public ArrayMetadataBuilder codecs(NamedConfiguration... chain) {
    this.codecs = List.of(chain);
    return this;
  }

  /**
   * Sets the {@linkplain #toBytes default} array→bytes codec, and these bytes→bytes codecs after
   * it.
   */
  public ArrayMetadataBuilder compressedBy(NamedConfiguration... compressors) {
    List<NamedConfiguration> chain = new ArrayList<>();
    chain.add(toBytes(dataType));
    chain.addAll(List.of(compressors));
    this.codecs = List.copyOf(chain);
    return this;
  }

  /** Sets the name of each dimension. Null stands for a dimension without a name. */
  public ArrayMetadataBuilder dimensionNames(@Nullable String... names) {
    this.dimensionNames = new ArrayList<>(Arrays.asList(names));
    return this;
  }

  /** Sets the user's attributes. */
  public ArrayMetadataBuilder attributes(JsonObject object) {
    this.attributes = object;
    return this;
  }

  /**
   * Returns the metadata.
   *
   * @throws dev.zarrreactive.error.MetadataException if a part contradicts another
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if Zarr v2 lacks a feature
   */
  public ArrayMetadata build() {
    NamedConfiguration keys =
        chunkKeyEncoding != null
            ? chunkKeyEncoding
            : NamedConfiguration.of(zarrFormat == 2 ? "v2" : "default");
    JsonObject document =
        JsonObject.EMPTY
            .with("zarr_format", 3)
            .with("node_type", "array")
            .with("shape", numbers(shape.toArray()))
            .with("data_type", dataType.toMetadata())
            .with("chunk_grid", chunkGrid.toJson())
            .with("chunk_key_encoding", keys.toJson())
            .with("fill_value", fillValue.toJson())
            .with(
                "codecs",
                new JsonArray(codecs.stream().<JsonValue>map(NamedConfiguration::toJson).toList()))
            .with("attributes", attributes);
    if (!dimensionNames.isEmpty()) {
      List<JsonValue> names = new ArrayList<>();
      for (String name : dimensionNames) {
        names.add(name == null ? JsonNull.NULL : new JsonString(name));
      }
      document = document.with("dimension_names", new JsonArray(names));
    }
    ArrayMetadata array = ArrayMetadata.read(LocatedJson.of(document));
    return zarrFormat == 2 ? V2Document.of(array) : array;
  }
}
