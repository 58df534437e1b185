package dev.zarrreactive.metadata;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array (specification: "Array metadata"). The chunk grid, the chunk key
 * encoding and the codecs are given by name here; opening the array gives them their meaning. An
 * array of Zarr v2 is described in the same terms: its order is a {@code transpose}, its byte order
 * that of the codec {@code bytes}, and its filters and its compressor are codecs named {@code
 * numcodecs.<id>}.
 */
public final class ArrayMetadata implements NodeMetadata {
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

  private final int zarrFormat;
  private final LocatedJson source;
  private final JsonObject attributes;
  private final Shape shape;
  private final DataType dataType;
  private final FillValue fillValue;
  private final NamedConfiguration chunkGrid;
  private final NamedConfiguration chunkKeyEncoding;
  private final List<NamedConfiguration> codecs;
  private final List<@Nullable String> dimensionNames;
  private final boolean writable;

  private ArrayMetadata(LocatedJson json) {
    zarrFormat = 3;
    source = json;
    MetadataReader.checkUnknownMembers(json, MEMBERS, "array");
    attributes = MetadataReader.attributes(json);
    shape = Shape.of(json.member("shape").integers(0, Long.MAX_VALUE));
    dataType = DataTypes.parse(NamedConfiguration.parse(json.member("data_type")));
    chunkGrid = NamedConfiguration.parse(json.member("chunk_grid"));
    chunkKeyEncoding = NamedConfiguration.parse(json.member("chunk_key_encoding"));
    codecs = extensions(json.member("codecs"));
    fillValue = fillValue(json.member("fill_value"), dataType, codecs);
    dimensionNames = dimensionNames(json, shape.rank());
    writable = !hasStorageTransformers(json);
  }

  private ArrayMetadata(V2Array v2, JsonObject attributes) {
    zarrFormat = 2;
    source = v2.source();
    this.attributes = attributes;
    shape = v2.shape();
    dataType = v2.dataType();
    fillValue = v2.fillValue();
    chunkGrid = v2.chunkGrid();
    chunkKeyEncoding = v2.chunkKeyEncoding();
    codecs = v2.codecs();
    dimensionNames = Collections.nCopies(shape.rank(), null);
    writable = true;
  }

  /** Reads a {@code .zarray}. */
  static ArrayMetadata readV2(LocatedJson zarray, JsonObject attributes) {
    return new ArrayMetadata(V2Array.read(zarray), attributes);
  }

  /** Reads a document whose format and node type are known. */
  static ArrayMetadata read(LocatedJson json) {
    return new ArrayMetadata(json);
  }

  private static List<NamedConfiguration> extensions(LocatedJson json) {
    return json.elements().stream().map(NamedConfiguration::parse).toList();
  }

  private static FillValue fillValue(
      LocatedJson json, DataType dataType, List<NamedConfiguration> codecs) {
    return dataType instanceof StructType struct
        ? struct.parseFillValue(json, StoredByteOrder.of(codecs))
        : dataType.parseFillValue(json);
  }

  private static List<@Nullable String> dimensionNames(LocatedJson json, int rank) {
    LocatedJson names = MetadataReader.presentOrNull(json, "dimension_names");
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

  /** None is registered: one that must be understood is an error, any other ends writing. */
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

  /** The value of elements that nobody wrote; zero where a document of Zarr v2 says null. */
  public FillValue fillValue() {
    return fillValue;
  }

  /** How the array is divided into chunks. */
  public NamedConfiguration chunkGrid() {
    return chunkGrid;
  }

  /** How chunks are named in the store. */
  public NamedConfiguration chunkKeyEncoding() {
    return chunkKeyEncoding;
  }

  /** The codec chain, in the order of encoding. */
  public List<NamedConfiguration> codecs() {
    return codecs;
  }

  /** For each dimension its name, or null where it has none. */
  public List<@Nullable String> dimensionNames() {
    return dimensionNames;
  }

  /** False where a storage transformer stands between chunks and store that nobody knows here. */
  public boolean isWritable() {
    return writable;
  }

  /** Where the codecs stand, for errors; the whole document where it is of Zarr v2. */
  public LocatedJson codecsSource() {
    return zarrFormat == 2 ? source : source.member("codecs");
  }

  @Override
  public int zarrFormat() {
    return zarrFormat;
  }

  @Override
  public JsonObject document() {
    return source.object();
  }

  @Override
  public JsonObject attributes() {
    return attributes;
  }

  @Override
  public ArrayMetadata withAttributes(JsonObject others) {
    return zarrFormat == 2
        ? readV2(source, others)
        : read(new LocatedJson(document().with("attributes", others), source.location()));
  }

  @Override
  public String toString() {
    return document().toString();
  }
}
