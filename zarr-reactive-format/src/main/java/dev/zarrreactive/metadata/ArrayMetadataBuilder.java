package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.ChainParts;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds the metadata of a new array; {@link ArrayMetadata#v3}, {@link ArrayMetadata#v2} and {@link
 * ArrayMetadata#like} begin one. Only shape and data type are needed. The defaults:
 *
 * <ul>
 *   <li>chunks of at most 1 MiB, decoded, by the shape, the data type and {@link #readInBlocks how
 *       it is read};
 *   <li>no shards;
 *   <li>{@code bytes}, little-endian, or {@code vlen-utf8} or {@code vlen-bytes}, then {@code zstd}
 *       of level 0, which is zstd's own default: the codecs of zarr-python;
 *   <li>the fill value zero, or empty;
 *   <li>the chunk key encoding {@code default}, or {@code v2} with {@code .} in Zarr v2.
 * </ul>
 *
 * An argument that cannot be is an {@link IllegalArgumentException} at once, which names the
 * method. Arguments that contradict each other are found by {@link #build}. Not thread-safe.
 */
public final class ArrayMetadataBuilder {
  private final ArrayLayout layout;
  private int zarrFormat;
  private DataType dataType;
  private FillValue fillValue;
  private boolean noFillValue;
  private @Nullable NamedConfiguration keys; // neither default nor v2
  private @Nullable String keyEncoding;
  private @Nullable String separator;
  private ChainParts codecs = ChainParts.DEFAULT;
  private boolean fortranOrder;
  private List<@Nullable String> dimensionNames = List.of();
  private JsonObject attributes = JsonObject.EMPTY;

  ArrayMetadataBuilder(int zarrFormat, Shape shape, DataType dataType) {
    this.zarrFormat = zarrFormat;
    this.layout = new ArrayLayout(shape);
    this.dataType = current(dataType);
    this.fillValue = FillValue.zero(this.dataType);
  }

  /** Starts with everything that the metadata of an array say. */
  ArrayMetadataBuilder(ArrayMetadata array) {
    this(array.zarrFormat(), array.shape(), array.dataType());
    codecs = ChainParts.of("codecs", layout.like(array)).ofNewArray();
    fillValue = array.fillValue();
    noFillValue = zarrFormat == 2 && array.document().get("fill_value") == JsonNull.NULL;
    attributes = array.attributes();
    dimensionNames = array.dimensionNames();
    if (array.entryPoint() == null) {
      chunkKeyEncoding(array.chunkKeyEncoding());
    }
  }

  private static DataType current(DataType type) {
    return type instanceof StructType struct ? struct.toStruct() : type;
  }

  /**
   * Sets the version of Zarr: 2 or 3, with its chunk key encoding. {@link #build} refuses features
   * that Zarr v2 lacks.
   */
  public ArrayMetadataBuilder zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    if (format != zarrFormat) {
      zarrFormat = format;
      keys = null;
      keyEncoding = null;
    }
    return this;
  }

  /**
   * Sets the extents, for metadata that are {@link ArrayMetadata#like} others. Chunks keep their
   * shape.
   *
   * @throws IllegalArgumentException for another number of dimensions
   */
  public ArrayMetadataBuilder shape(Shape shape) {
    layout.shape(shape);
    return this;
  }

  /**
   * Sets the data type, for metadata that are {@link ArrayMetadata#like} others. Another type has
   * the fill value zero until {@link #fillValue} sets one; codecs that follow from the type change
   * with it.
   */
  public ArrayMetadataBuilder dataType(DataType type) {
    DataType other = current(type);
    if (!other.equals(dataType)) {
      codecs = codecs.without(dataType);
      fillValue = FillValue.zero(other);
      dataType = other;
    }
    return this;
  }

  /**
   * Sets a regular chunk grid, whose chunks all have this shape. In shards these are the inner
   * chunks.
   *
   * @throws IllegalArgumentException for another number of dimensions than the array's, or an
   *     extent below 1
   */
  public ArrayMetadataBuilder chunkShape(long... shape) {
    layout.chunkShape(shape);
    return this;
  }

  /**
   * Stores the chunks in shards of this shape, each a whole number of chunks (codec {@code
   * sharding_indexed}). Without a {@link #chunkShape}, chunks are chosen that divide the shards.
   *
   * @throws IllegalArgumentException for another number of dimensions than the array's, or an
   *     extent below 1
   */
  public ArrayMetadataBuilder shardShape(long... shape) {
    layout.shardShape(shape);
    return this;
  }

  /** Stores the chunks in shards of a chosen shape: of at most 64 MiB, decoded. */
  public ArrayMetadataBuilder sharded() {
    layout.sharded(true);
    return this;
  }

  /** Stores each chunk as a value of its own. */
  public ArrayMetadataBuilder unsharded() {
    layout.sharded(false);
    return this;
  }

  /**
   * Chooses chunks for reads along one axis at few places, such as a time series at a point: as
   * long as possible along the axis. Shapes of chunks and shards that are given stay as they are.
   *
   * @param axis counted from 0, the slowest
   * @throws IllegalArgumentException for an axis that the array lacks
   */
  public ArrayMetadataBuilder readAlong(int axis) {
    layout.access(Access.series(axis));
    return this;
  }

  /**
   * Chooses chunks for reads of planes that two axes span, such as a map at one time: as large as
   * possible along both, and thin along the others. Otherwise as {@link #readAlong}.
   *
   * @throws IllegalArgumentException for an axis that the array lacks, and for one axis twice
   */
  public ArrayMetadataBuilder readInPlanes(int first, int second) {
    layout.access(Access.planes(first, second));
    return this;
  }

  /**
   * Chooses chunks for reads of boxes that are about as long in each dimension: near to cubes. The
   * default. Otherwise as {@link #readAlong}.
   */
  public ArrayMetadataBuilder readInBlocks() {
    layout.access(Access.blocks());
    return this;
  }

  /** Sets any chunk grid. */
  public ArrayMetadataBuilder chunkGrid(NamedConfiguration grid) {
    layout.grid(grid);
    return this;
  }

  /**
   * Sets the separator of the numbers in the keys of chunks: {@code /} or {@code .}. By default it
   * is {@code /} in Zarr v3 and {@code .} in Zarr v2.
   */
  public ArrayMetadataBuilder separator(String text) {
    if (!text.equals("/") && !text.equals(".")) {
      throw new IllegalArgumentException(
          "separator: expected \"/\" or \".\", found \"" + text + '"');
    }
    separator = text;
    keys = null;
    return this;
  }

  /** Sets any chunk key encoding. */
  public ArrayMetadataBuilder chunkKeyEncoding(NamedConfiguration encoding) {
    boolean isSeparated = encoding.name().equals("default") || encoding.name().equals("v2");
    LocatedJson given = isSeparated ? encoding.optional("separator") : null;
    keys = isSeparated ? null : encoding;
    keyEncoding = isSeparated ? encoding.name() : null;
    separator = given == null ? null : given.string();
    return this;
  }

  /** Sets the chunk key encoding {@code default} or {@code v2}, and its {@link #separator}. */
  public ArrayMetadataBuilder chunkKeyEncoding(String name, String separator) {
    keyEncoding = name;
    return separator(separator);
  }

  /**
   * Sets the fill value.
   *
   * @throws IllegalArgumentException for a value of another data type
   */
  public ArrayMetadataBuilder fillValue(FillValue value) {
    if (!value.dataType().equals(dataType)) {
      throw new IllegalArgumentException(
          "fillValue: expected a value of " + dataType + ", found one of " + value.dataType());
    }
    fillValue = value;
    noFillValue = false;
    return this;
  }

  /** Sets the fill value, in the form that it has in metadata. */
  public ArrayMetadataBuilder fillValue(JsonValue value) {
    return fillValue(dataType.parseFillValue(LocatedJson.of(value)));
  }

  /**
   * Sets the fill value: an integer, the nearest float or complex number, or a count of time units.
   *
   * @throws IllegalArgumentException if the data type lacks it
   */
  public ArrayMetadataBuilder fillValue(long value) {
    return fillValue(() -> FillValue.of(dataType, value));
  }

  /**
   * Sets the fill value to the float or complex number that is nearest.
   *
   * @throws IllegalArgumentException if the data type is another, or its range is too small
   */
  public ArrayMetadataBuilder fillValue(double value) {
    return fillValue(() -> FillValue.of(dataType, value));
  }

  /**
   * Sets the fill value of a {@code bool} array.
   *
   * @throws IllegalArgumentException for any other data type
   */
  public ArrayMetadataBuilder fillValue(boolean value) {
    return fillValue(() -> dataType.parseFillValue(LocatedJson.of(new JsonBoolean(value))));
  }

  /**
   * Sets the fill value of an array of texts, or in a form such as {@code NaN}, {@code 0x7fc00001}
   * or {@code NaT}.
   *
   * @throws IllegalArgumentException if the data type lacks it
   */
  public ArrayMetadataBuilder fillValue(String value) {
    return fillValue(() -> dataType.parseFillValue(LocatedJson.of(new JsonString(value))));
  }

  private ArrayMetadataBuilder fillValue(Supplier<FillValue> parsed) {
    try {
      return fillValue(parsed.get());
    } catch (MetadataException e) {
      throw new IllegalArgumentException("fillValue: " + e.statement(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("fillValue: " + e.getMessage(), e);
    }
  }

  /**
   * Writes no fill value, which Zarr v2 alone allows; elements without a stored chunk are read as
   * zero.
   */
  public ArrayMetadataBuilder noFillValue() {
    fillValue = FillValue.zero(dataType);
    noFillValue = true;
    return this;
  }

  /**
   * Sets the whole codec chain, in the order of encoding; in shards it is that of the inner chunks.
   * If no codec turns the array into bytes, that of the data type is added at its place. Members
   * that a configuration lacks and that follow from the data type are added: {@code typesize} and
   * {@code shuffle} of blosc, {@code endian} of {@code bytes}.
   *
   * @throws IllegalArgumentException if codecs of this library are in an impossible order
   */
  public ArrayMetadataBuilder codecs(NamedConfiguration... chain) {
    codecs = ChainParts.of("codecs", List.of(chain));
    return this;
  }

  /**
   * Sets the bytes→bytes codecs at the end of the chain, in the order of encoding, in the place of
   * all others.
   *
   * @throws IllegalArgumentException for a codec of another kind
   */
  public ArrayMetadataBuilder compressors(NamedConfiguration... compressors) {
    codecs = codecs.withCompressors("compressors", List.of(compressors));
    return this;
  }

  /** Stores chunks as they are, without bytes→bytes codecs. */
  public ArrayMetadataBuilder uncompressed() {
    return compressors();
  }

  /**
   * Stores the elements of chunks in Fortran order: {@code "order": "F"} in Zarr v2, in Zarr v3 a
   * {@code transpose} that reverses the dimensions, before all other codecs.
   */
  public ArrayMetadataBuilder fortranOrder() {
    fortranOrder = true;
    return this;
  }

  /**
   * Sets the name of each dimension. Null stands for a dimension without a name.
   *
   * @throws IllegalArgumentException for another number of names than of dimensions
   */
  public ArrayMetadataBuilder dimensionNames(@Nullable String... names) {
    if (names.length > 0) {
      layout.checkRank("dimensionNames", names.length, Arrays.toString(names));
    }
    dimensionNames = new ArrayList<>(Arrays.asList(names));
    return this;
  }

  /** Sets the user's attributes. */
  public ArrayMetadataBuilder attributes(JsonObject object) {
    attributes = object;
    return this;
  }

  /**
   * Returns the metadata. The codecs of other providers, and whether all codecs fit the elements,
   * are checked when the array is created.
   *
   * @throws MetadataException if a part contradicts another, with the place in the document
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if Zarr v2 lacks a feature
   */
  public ArrayMetadata build() {
    ArrayLayout.Stored stored = layout.stored(dataType, zarrFormat, chain());
    JsonObject document =
        JsonObject.EMPTY
            .with("zarr_format", 3)
            .with("node_type", "array")
            .with("shape", layout.shapeJson())
            .with("data_type", dataType.toMetadata())
            .with("chunk_grid", stored.grid().toJson())
            .with("chunk_key_encoding", keys().toJson())
            .with("fill_value", fillValue.toJson())
            .with("codecs", stored.codecs())
            .with("attributes", attributes);
    if (dimensionNames.stream().anyMatch(name -> name != null)) {
      document = document.with("dimension_names", names());
    }
    if (noFillValue && zarrFormat == 3) {
      throw new MetadataException(
          "noFillValue: Zarr v3 requires a fill value; set one with fillValue(...)",
          LocatedJson.of(document).member("fill_value").location());
    }
    ArrayMetadata array = ArrayMetadata.read(LocatedJson.of(document));
    return zarrFormat == 2 ? V2Document.of(array, noFillValue) : array;
  }

  private List<NamedConfiguration> chain() {
    int rank = layout.rank();
    ChainParts parts =
        fortranOrder && rank > 1
            ? codecs.startingWith(
                NamedConfiguration.of(
                    "transpose", JsonObject.EMPTY.with("order", V2Array.reversal(rank))))
            : codecs;
    return parts.complete(dataType);
  }

  private NamedConfiguration keys() {
    if (keys != null) {
      return keys;
    }
    String name = keyEncoding != null ? keyEncoding : zarrFormat == 2 ? "v2" : "default";
    return NamedConfiguration.of(
        name, separator == null ? JsonObject.EMPTY : JsonObject.EMPTY.with("separator", separator));
  }

  private JsonArray names() {
    List<JsonValue> names = new ArrayList<>();
    for (String name : dimensionNames) {
      names.add(name == null ? JsonNull.NULL : new JsonString(name));
    }
    return new JsonArray(names);
  }
}
