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
 * Makes the metadata of a new array. Without more, it has one chunk of the array's shape, the
 * {@code default} chunk key encoding, the codec that is usual for the data type, and the fill value
 * zero, or empty.
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

  /** Metadata of an array of this shape and data type. */
  public ArrayMetadataBuilder(Shape shape, DataType dataType) {
    this.shape = shape;
    this.dataType = dataType instanceof StructType struct ? struct.toStruct() : dataType;
    this.fillValue = FillValue.zero(dataType);
    this.chunkGrid = regular(Arrays.stream(shape.toArray()).map(n -> Math.max(1, n)).toArray());
    this.codecs = List.of(toBytes(dataType));
  }

  /**
   * The array→bytes codec that is usual for a data type: {@code bytes}, little-endian, or for texts
   * and byte strings of any length {@code vlen-utf8} and {@code vlen-bytes}.
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
   * The version of Zarr whose document {@link #build} makes: 2 or 3. What a document of Zarr v2
   * cannot say is refused then; its chunk key encoding is {@code v2} with the separator {@code .}
   * unless another is set.
   */
  public ArrayMetadataBuilder zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    this.zarrFormat = format;
    return this;
  }

  /** A regular chunk grid: every chunk has this shape. */
  public ArrayMetadataBuilder chunkShape(long... chunkShape) {
    return chunkGrid(regular(chunkShape));
  }

  /** Any chunk grid. */
  public ArrayMetadataBuilder chunkGrid(NamedConfiguration grid) {
    this.chunkGrid = grid;
    return this;
  }

  /**
   * The chunk key encoding {@code default} or {@code v2}, with the separator {@code /} or {@code
   * .}.
   */
  public ArrayMetadataBuilder chunkKeyEncoding(String name, String separator) {
    this.chunkKeyEncoding =
        NamedConfiguration.of(name, JsonObject.EMPTY.with("separator", separator));
    return this;
  }

  /** The fill value. */
  public ArrayMetadataBuilder fillValue(FillValue value) {
    if (!value.dataType().equals(dataType)) {
      throw new IllegalArgumentException(
          "a fill value of " + value.dataType() + " for an array of " + dataType);
    }
    this.fillValue = value;
    return this;
  }

  /** The fill value, in the form that metadata has it. */
  public ArrayMetadataBuilder fillValue(JsonValue value) {
    return fillValue(dataType.parseFillValue(LocatedJson.of(value)));
  }

  /** The whole codec chain, in the order of encoding. */
  public ArrayMetadataBuilder codecs(NamedConfiguration... chain) {
    this.codecs = List.of(chain);
    return this;
  }

  /** The {@linkplain #toBytes usual} array→bytes codec, and then these bytes→bytes codecs. */
  public ArrayMetadataBuilder compressedBy(NamedConfiguration... compressors) {
    List<NamedConfiguration> chain = new ArrayList<>();
    chain.add(toBytes(dataType));
    chain.addAll(List.of(compressors));
    this.codecs = List.copyOf(chain);
    return this;
  }

  /** A name for each dimension; null for one without. */
  public ArrayMetadataBuilder dimensionNames(@Nullable String... names) {
    this.dimensionNames = new ArrayList<>(Arrays.asList(names));
    return this;
  }

  /** The user's attributes. */
  public ArrayMetadataBuilder attributes(JsonObject object) {
    this.attributes = object;
    return this;
  }

  /**
   * The metadata.
   *
   * @throws dev.zarrreactive.error.MetadataException where something does not fit the rest
   * @throws dev.zarrreactive.error.UnsupportedFeatureException where Zarr v2 is asked for, and has
   *     no words for something
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
