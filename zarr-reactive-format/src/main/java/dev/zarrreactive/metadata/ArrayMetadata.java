package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.ChunkExtents;
import dev.zarrreactive.internal.metadata.Tokens;
import dev.zarrreactive.internal.metadata.TranslatedArray;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array (specification: "Array metadata"). It names the chunk grid, the chunk
 * key encoding and the codecs; the open operation resolves the names. An array of Zarr v2 is
 * described in the same terms: its order is a {@code transpose}, its byte order is that of the
 * codec {@code bytes}, and its filters and its compressor are codecs named {@code numcodecs.<id>}.
 */
public final class ArrayMetadata extends StoredMetadata {
  private static final Set<String> MEMBERS =
      Set.of(
          "zarr_format",
          "node_type",
          "shape",
          "data_type",
          "chunk_grid",
          "chunk_key_encoding",
          "fill_value",
          "codecs",
          "attributes",
          "storage_transformers",
          "dimension_names");

  private static final Pattern RAW_BITS = Pattern.compile("r[0-9]+");

  private final Shape shape;
  private final DataType dataType;
  private final FillValue fillValue;
  private final NamedConfiguration chunkGrid;
  private final NamedConfiguration chunkKeyEncoding;
  private final List<NamedConfiguration> codecs;
  private final List<@Nullable String> dimensionNames;
  private final boolean writable;
  private final LocatedJson codecsSource;

  private ArrayMetadata(LocatedJson document, LocatedJson json, Leniencies leniencies) {
    super(3, document, attributes(json, leniencies), Provenance.of(noted(json, leniencies)));
    shape = Shape.of(json.member("shape").integers(0, Long.MAX_VALUE));
    dataType = DataTypes.parse(NamedConfiguration.parse(json.member("data_type")));
    chunkGrid = NamedConfiguration.parse(json.member("chunk_grid"));
    chunkKeyEncoding = NamedConfiguration.parse(json.member("chunk_key_encoding"));
    codecsSource = json.member("codecs");
    codecs = extensions(codecsSource);
    fillValue = fillValue(json.member("fill_value"), dataType, codecs);
    dimensionNames = dimensionNames(json, shape.rank());
    writable = !hasStorageTransformers(json) && provenance.draft() == null;
  }

  private ArrayMetadata(int zarrFormat, TranslatedArray array, Provenance provenance) {
    super(zarrFormat, array.source(), array.attributes(), provenance);
    shape = array.shape();
    dataType = array.dataType();
    fillValue = array.fillValue();
    chunkGrid = array.chunkGrid();
    chunkKeyEncoding = array.chunkKeyEncoding();
    codecs = array.codecs();
    dimensionNames = Collections.nCopies(shape.rank(), null);
    writable = provenance.draft() == null;
    codecsSource = source;
  }

  /**
   * Reads the documents of an array of Zarr v2.
   *
   * @param zarray the stored bytes of {@code .zarray}
   * @param zattrs the stored bytes of {@code .zattrs}, or null
   * @param path the node's path, for errors
   * @param limits the limits of each document
   * @throws dev.zarrreactive.error.MetadataException if a document breaks a rule
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if Zarr v3 cannot describe the array
   */
  public static ArrayMetadata parseV2(
      Bytes zarray, @Nullable Bytes zattrs, NodePath path, MetadataLimits limits) {
    return parseV2(zarray, zattrs, false, path, limits);
  }

  /**
   * Reads the documents of an array of Zarr v2, otherwise as {@link #parseV2(Bytes, Bytes,
   * NodePath, MetadataLimits)}.
   *
   * @param besideGroup whether a {@code .zgroup} is beside the {@code .zarray}
   */
  public static ArrayMetadata parseV2(
      Bytes zarray,
      @Nullable Bytes zattrs,
      boolean besideGroup,
      NodePath path,
      MetadataLimits limits) {
    return MetadataReader.readV2Array(zarray, zattrs, besideGroup, path, limits);
  }

  /** Describes a new array of Zarr v3; {@link ArrayMetadataBuilder} has the defaults. */
  public static ArrayMetadataBuilder v3(Shape shape, DataType dataType) {
    return new ArrayMetadataBuilder(3, shape, dataType);
  }

  /** Describes a new array of Zarr v2; {@link ArrayMetadataBuilder} has the defaults. */
  public static ArrayMetadataBuilder v2(Shape shape, DataType dataType) {
    return new ArrayMetadataBuilder(2, shape, dataType);
  }

  /**
   * Describes a new array like another: of its format, shape, data type, chunks, shards, codecs,
   * fill value, dimension names and attributes, until they are changed. Members that this library
   * does not know are left out, and storage transformers. An array of a draft gives one of Zarr v3.
   */
  public static ArrayMetadataBuilder like(ArrayMetadata array) {
    return new ArrayMetadataBuilder(array);
  }

  private static JsonObject attributes(LocatedJson json, Leniencies leniencies) {
    MetadataReader.checkUnknownMembers(json, MEMBERS, "array");
    return MetadataReader.attributes(json, leniencies);
  }

  /** Adds the leniencies of members that are read without a warning. */
  private static Leniencies noted(LocatedJson json, Leniencies leniencies) {
    LocatedJson fillValue = json.optional("fill_value");
    if (fillValue != null
        && fillValue.value() instanceof JsonString
        && json.object().get("data_type") instanceof JsonString type
        && RAW_BITS.matcher(type.value()).matches()) {
      leniencies.note(
          Leniency.BASE64_FILL_VALUE,
          fillValue,
          "the fill value of raw bits is base64 instead of an array of integers");
    }
    return leniencies;
  }

  /** Reads a {@code .zarray}. */
  static ArrayMetadata readV2(LocatedJson zarray, JsonObject attributes, Leniencies leniencies) {
    TranslatedArray array = V2Array.read(zarray, attributes, leniencies);
    return new ArrayMetadata(2, array, Provenance.of(leniencies));
  }

  /** Reads a document whose format and node type are known. */
  static ArrayMetadata read(LocatedJson json) {
    return new ArrayMetadata(json, json, new Leniencies(Draft.OF_2023, Drafts.none()));
  }

  /** Reads a document that may have forms of the 2023 draft, if the leniencies accept it. */
  static ArrayMetadata read(LocatedJson document, Leniencies leniencies) {
    LocatedJson quoted = ChunkExtents.inDocument(quoted(document, leniencies), leniencies);
    LocatedJson json = Drafts.translator().array(quoted, leniencies);
    return new ArrayMetadata(quoted, json, leniencies);
  }

  /** Returns the document with a fill value that is a token of a float in quotes. */
  private static LocatedJson quoted(LocatedJson document, Leniencies leniencies) {
    LocatedJson fillValue = document.optional("fill_value");
    JsonValue quoted = fillValue == null ? JsonNull.NULL : Tokens.quoted(fillValue.value());
    if (fillValue == null || quoted == fillValue.value()) {
      return document;
    }
    DataType type = DataTypes.parse(NamedConfiguration.parse(document.member("data_type")));
    if (!(type instanceof FloatType) && !(type instanceof ComplexType)) {
      throw Tokens.refused(fillValue);
    }
    Tokens.note(fillValue, quoted, leniencies);
    return new LocatedJson(document.object().with("fill_value", quoted), document.location());
  }

  /** Returns the array of a document that was translated to the terms of Zarr v3. */
  static ArrayMetadata translated(int zarrFormat, TranslatedArray array, Provenance provenance) {
    return new ArrayMetadata(zarrFormat, array, provenance);
  }

  private static List<NamedConfiguration> extensions(LocatedJson json) {
    return json.elements().stream().map(NamedConfiguration::parse).toList();
  }

  private static FillValue fillValue(
      LocatedJson json, DataType dataType, List<NamedConfiguration> codecs) {
    return dataType instanceof StructType struct
        ? struct.parseFillValue(json, storedByteOrder(codecs))
        : dataType.parseFillValue(json);
  }

  /**
   * Finds the byte order that a codec chain stores, by default little-endian, for the one fill
   * value that depends on it: the packed bytes of a {@code structured} item. It reads only the
   * metadata, before the codecs exist.
   */
  private static ByteOrder storedByteOrder(List<NamedConfiguration> codecs) {
    boolean big =
        codecs.stream().anyMatch(codec -> isBig(codec.name(), codec.configuration().object()));
    return big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static boolean isBig(String codec, JsonObject configuration) {
    return switch (codec) {
      case "bytes", "endian" -> new JsonString("big").equals(configuration.get("endian"));
      case "sharding_indexed" ->
          configuration.get("codecs") instanceof JsonArray inner
              && inner.elements().stream().anyMatch(ArrayMetadata::isBig);
      default -> false;
    };
  }

  private static boolean isBig(JsonValue codec) {
    return codec instanceof JsonObject object
        && object.get("name") instanceof JsonString name
        && object.get("configuration") instanceof JsonObject configuration
        && isBig(name.value(), configuration);
  }

  private static List<@Nullable String> dimensionNames(LocatedJson json, int rank) {
    LocatedJson names = json.nonNull("dimension_names");
    if (names == null) {
      return Collections.nCopies(rank, null);
    }
    List<@Nullable String> result = new ArrayList<>();
    for (LocatedJson name : names.elements()) {
      result.add(name.value() == JsonNull.NULL ? null : name.string());
    }
    if (result.size() != rank) {
      throw names.expected("one name for each of the " + rank + " dimensions");
    }
    return Collections.unmodifiableList(result);
  }

  /**
   * Refuses a storage transformer that must be understood, since none is registered. Any other
   * makes the array read-only.
   */
  private static boolean hasStorageTransformers(LocatedJson json) {
    LocatedJson list = json.optional("storage_transformers");
    if (list == null) {
      return false;
    }
    for (NamedConfiguration transformer : extensions(list)) {
      if (transformer.mustUnderstand()) {
        throw new UnsupportedFeatureException(
            "the storage transformer \"" + transformer.name() + "\" is unsupported",
            transformer.source().location());
      }
    }
    return !list.elements().isEmpty();
  }

  /** The extents. */
  public Shape shape() {
    return shape;
  }

  /** The type of the elements. */
  public DataType dataType() {
    return dataType;
  }

  /** The value of elements without a stored chunk. A null in a document of Zarr v2 is zero. */
  public FillValue fillValue() {
    return fillValue;
  }

  /** The division of the array into chunks. */
  public NamedConfiguration chunkGrid() {
    return chunkGrid;
  }

  /** The encoding of the chunks' keys in the store. */
  public NamedConfiguration chunkKeyEncoding() {
    return chunkKeyEncoding;
  }

  /** The codec chain, in the order of encoding. */
  public List<NamedConfiguration> codecs() {
    return codecs;
  }

  /** The name of each dimension, or null. */
  public List<@Nullable String> dimensionNames() {
    return dimensionNames;
  }

  /**
   * Returns false for an array with an unknown storage transformer, and for an array of a draft.
   */
  public boolean isWritable() {
    return writable;
  }

  /**
   * The place of the codecs, for errors. It is the whole document for one without the codecs of
   * Zarr v3.
   */
  public LocatedJson codecsSource() {
    return codecsSource;
  }

  /**
   * Returns the key of a chunk.
   *
   * @param path the array's path
   * @param encoded the encoded index of the chunk
   */
  public StoreKey chunkKey(NodePath path, String encoded) {
    EntryPoint entryPoint = entryPoint();
    return entryPoint == null
        ? path.key(encoded)
        : entryPoint.hierarchy().chunk(path.value(), chunkKeyEncoding, encoded);
  }

  /** Returns the prefix of the chunks' keys, for an array at {@code path}. */
  public StorePrefix chunkPrefix(NodePath path) {
    EntryPoint entryPoint = entryPoint();
    return entryPoint == null ? path.prefix() : entryPoint.hierarchy().chunks(path.value());
  }

  /**
   * Returns this metadata with another shape of the same rank. Nothing else in the document
   * changes.
   *
   * @param grid the chunk grid over the new shape; of Zarr v2 the one that it is
   * @throws UnsupportedFeatureException if the array follows a draft
   */
  public ArrayMetadata withShape(Shape others, NamedConfiguration grid) {
    provenance.checkWritable(source.location());
    List<JsonValue> extents = new ArrayList<>();
    List<LocatedJson> known = source.member("shape").elements();
    for (int d = 0; d < others.rank(); d++) {
      boolean same = others.extent(d) == shape.extent(d);
      extents.add(same ? known.get(d).value() : JsonNumber.of(others.extent(d)));
    }
    JsonObject document = document().with("shape", new JsonArray(extents));
    if (!grid.equals(chunkGrid)) {
      document = document.with("chunk_grid", grid.toJson());
    }
    LocatedJson changed = new LocatedJson(document, source.location());
    return zarrFormat == 2 ? readV2(changed, attributes, Leniencies.ofV2()) : read(changed);
  }

  @Override
  public ArrayMetadata withAttributes(JsonObject others) {
    provenance.checkWritable(source.location());
    return zarrFormat == 2 ? readV2(source, others, Leniencies.ofV2()) : read(documentWith(others));
  }
}
