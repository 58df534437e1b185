package dev.zarrreactive.copy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.RawBytesType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.CodecDefaults;
import dev.zarrreactive.internal.metadata.ShardingMetadata;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts the metadata of an array to that of its copy. A document whose format stays keeps each
 * member; one of another format is written anew.
 */
final class ArrayConversion {
  /**
   * The name of the codec that stands for structs of Zarr v2, which no document of Zarr v3 can
   * name.
   */
  private static final String STRUCT_BYTES = "v2.struct_bytes";

  private static final String CATEGORIES = "numcodecs.categorize";

  private final NodePath path;
  private final ArrayMetadata source;
  private final CopyConversion changes;
  private final CodecRegistry registry;
  private final boolean keepsFormat;
  private final List<NamedConfiguration> chain;
  private final @Nullable ShardingMetadata sharding;
  private final NodePath to;

  private ArrayConversion(
      NodePath path,
      ArrayMetadata source,
      NodePath to,
      CopyConversion changes,
      CodecRegistry registry) {
    this.path = path;
    this.to = to;
    this.source = source;
    this.changes = changes;
    this.registry = registry;
    keepsFormat = changes.keepsFormat(source);
    chain = keepsFormat ? source.codecs() : sayable(registered(source.codecs(), registry));
    sharding = ShardingMetadata.find(chain);
  }

  /**
   * The metadata of a copy.
   *
   * @param changes the parts that other programs need in another form
   */
  record Converted(ArrayMetadata metadata, List<CopyChange> changes) {}

  /**
   * Returns the metadata of the copy of an array at {@code path}.
   *
   * @param to the path of the copy
   * @throws ZarrException for metadata that the format cannot express
   */
  static Converted of(
      NodePath path,
      ArrayMetadata source,
      NodePath to,
      CopyConversion changes,
      CodecRegistry registry) {
    try {
      return new ArrayConversion(path, source, to, changes, registry).convert();
    } catch (UnsupportedFeatureException e) {
      throw new UnsupportedFeatureException(
          e.statement() + "; give the copy another format, other codecs or another chunk shape",
          e.location().node(path.value()),
          e);
    } catch (ZarrException e) {
      throw e.at(Location.ofNode(path.value()));
    }
  }

  private Converted convert() {
    NamedConfiguration grid = grid();
    List<NamedConfiguration> newChain = newChain();
    if (keepsFormat && grid.equals(source.chunkGrid()) && newChain.equals(source.codecs())) {
      return new Converted(source, List.of());
    }
    XarrayConvention said = said();
    ArrayMetadata copy =
        keepsFormat && source.zarrFormat() == 3 ? source : rebuilt(grid, sayable(newChain), said);
    return new Converted(
        copy.zarrFormat() == 3 ? edited(copy, grid, newChain) : copy, said.changes());
  }

  /** Returns what xarray sees in the format of the copy; unchanged if the format stays. */
  private XarrayConvention said() {
    int format = changes.zarrFormat(source);
    DimensionNames names = DimensionNames.of(source);
    if (changes.conventions() && format != source.zarrFormat()) {
      return XarrayConvention.of(source, names, format, to);
    }
    boolean keepsNull = changes.conventions() && !XarrayConvention.hasFillValue(source);
    return new XarrayConvention(
        format == 2 ? names.inAttributes() : source.attributes(),
        format == 2 && keepsNull ? null : source.fillValue(),
        List.of());
  }

  private List<NamedConfiguration> sayable(List<NamedConfiguration> codecsOfReader) {
    return sayable(codecsOfReader, source.dataType());
  }

  private NamedConfiguration grid() {
    Shape chunk = changes.chunkShape(source);
    Shape shard = changes.shardShape(source, () -> chunk != null ? chunk : oldChunkShape());
    Shape shape = shard != null ? shard : chunk != null ? chunk : unshardedShape();
    return shape == null
        ? source.chunkGrid()
        : NamedConfiguration.of(
            "regular", JsonObject.EMPTY.with("chunk_shape", JsonArray.ofIntegers(shape.toArray())));
  }

  /** Returns the shape of the innermost chunks of an array that loses its shards, else null. */
  private @Nullable Shape unshardedShape() {
    return changes.unsharded() && sharding != null ? innermost(sharding).innerShape() : null;
  }

  private static ShardingMetadata innermost(ShardingMetadata shards) {
    ShardingMetadata inner = ShardingMetadata.find(shards.innerCodecs());
    return inner == null ? shards : innermost(inner);
  }

  private List<NamedConfiguration> newChain() {
    Shape chunk = changes.chunkShape(source);
    Shape shard = changes.shardShape(source, () -> chunk != null ? chunk : oldChunkShape());
    List<NamedConfiguration> ofChunks = chainOfChunks();
    if (shard != null) {
      return List.of(
          ShardingMetadata.of((chunk != null ? chunk : oldChunkShape()).toArray(), ofChunks)
              .codec());
    }
    if (sharding == null || chunk != null || changes.unsharded()) {
      return ofChunks;
    }
    return changes.codecs() == null ? chain : List.of(sharding.withInnerCodecs(ofChunks).codec());
  }

  /** Returns the codecs of a chunk, or of an inner chunk in shards. */
  private List<NamedConfiguration> chainOfChunks() {
    List<NamedConfiguration> old =
        sharding == null
            ? chain
            : (changes.unsharded() ? innermost(sharding) : sharding).innerCodecs();
    return changes.codecs() == null
        ? old
        : replace(old, CodecDefaults.completed(changes.codecs(), source.dataType()));
  }

  private Shape oldChunkShape() {
    if (sharding != null) {
      return sharding.innerShape();
    }
    NamedConfiguration grid = source.chunkGrid();
    if (!grid.name().equals("regular")) {
      throw new UnsupportedFeatureException(
          "chunks of the grid \"" + grid.name() + "\" cannot be inner chunks of shards",
          Location.ofNode(path.value()));
    }
    return Shape.of(grid.member("chunk_shape").integers(0, Long.MAX_VALUE));
  }

  private ArrayMetadata edited(
      ArrayMetadata array, NamedConfiguration grid, List<NamedConfiguration> newChain) {
    JsonObject document =
        array
            .document()
            .with("chunk_grid", grid.toJson())
            .with("codecs", ShardingMetadata.json(newChain));
    return (ArrayMetadata) NodeMetadata.parse(text(document), path);
  }

  private ArrayMetadata rebuilt(
      NamedConfiguration grid, List<NamedConfiguration> newChain, XarrayConvention said) {
    int format = changes.zarrFormat(source);
    DataType type = dataType(source.dataType(), format);
    DimensionNames names = DimensionNames.of(source);
    ArrayMetadataBuilder array =
        (format == 2
                ? ArrayMetadata.v2(source.shape(), type)
                : ArrayMetadata.v3(source.shape(), type))
            .chunkGrid(grid)
            .fillValue(fillValue(type, said.fillValue()))
            .codecs(newChain.toArray(NamedConfiguration[]::new))
            .attributes(said.attributes());
    if (format == 3 && names.isAny()) {
      array.dimensionNames(names.toArray());
    }
    if (said.fillValue() == null) {
      array.noFillValue();
    }
    return withKeys(array, format).build();
  }

  private static FillValue fillValue(DataType type, @Nullable FillValue value) {
    if (value == null) {
      return FillValue.zero(type);
    }
    return type.equals(value.dataType()) ? value : FillValue.of(type, value.image());
  }

  private static Bytes text(JsonObject document) {
    return Bytes.utf8(document.toString());
  }

  /** Returns whether a chunk that the source lacks has to be stored in the copy. */
  static boolean fillsMissingChunks(ArrayMetadata source, ArrayMetadata copy) {
    boolean same =
        isSameImage(source.dataType(), copy.dataType())
            && fillValue(copy.dataType(), source.fillValue()).equals(copy.fillValue());
    return !same || (!XarrayConvention.hasFillValue(copy) && XarrayConvention.hasFillValue(source));
  }

  /** Sets the chunk key encoding, or, in a format without it, its separator. */
  private ArrayMetadataBuilder withKeys(ArrayMetadataBuilder array, int format) {
    NamedConfiguration keys = source.chunkKeyEncoding();
    boolean isDefault = keys.name().equals("default");
    if (!isDefault && !keys.name().equals("v2")) {
      return format == 2 ? array : array.chunkKeyEncoding(keys);
    }
    LocatedJson separator = keys.optional("separator");
    return array.chunkKeyEncoding(
        format == 2 ? "v2" : keys.name(),
        separator != null ? separator.string() : isDefault ? "/" : ".");
  }

  /** Returns whether the chunks of both arrays are the same bytes. */
  static boolean keepsChunks(ArrayMetadata source, ArrayMetadata copy, CodecRegistry registry) {
    return isSameImage(source.dataType(), copy.dataType())
        && Objects.equals(source.chunkGrid(), copy.chunkGrid())
        && registered(source.codecs(), registry).equals(registered(copy.codecs(), registry));
  }

  /**
   * Returns the data type in a format. The opaque items of Zarr v2, read as {@code r<N>}, are
   * {@code raw_bytes} in Zarr v3: zarr-python and TensorStore know only this name.
   */
  private static DataType dataType(DataType type, int zarrFormat) {
    if (zarrFormat == 3 && (type instanceof ListType || type instanceof JsonType)) {
      throw new UnsupportedFeatureException(
          "Zarr v3 does not have the data type " + type, Location.UNKNOWN);
    }
    if (type instanceof StructType struct) {
      return new StructType(
          struct.fields().stream()
              .map(field -> new StructField(field.name(), dataType(field.dataType(), zarrFormat)))
              .toList());
    }
    if (zarrFormat == 3 && type instanceof RawType raw) {
      return new RawBytesType(raw.itemSize());
    }
    if (zarrFormat == 2 && type instanceof RawBytesType raw) {
      return new RawType(Byte.SIZE * raw.length());
    }
    return type;
  }

  /** Returns whether elements of both types are the same bytes. */
  private static boolean isSameImage(DataType one, DataType other) {
    return one.equals(other) || dataType(one, 2).equals(dataType(other, 2));
  }

  /** Returns the chain with the names that Zarr v3 has registered for its codecs. */
  private static List<NamedConfiguration> registered(
      List<NamedConfiguration> chain, CodecRegistry registry) {
    return chain.stream().map(codec -> registered(codec, registry)).toList();
  }

  private static NamedConfiguration registered(NamedConfiguration codec, CodecRegistry registry) {
    NamedConfiguration registered =
        isIgnorable(codec, registry) ? codec : registry.create(codec).registered();
    return registered.name().equals(codec.name()) ? codec : registered;
  }

  private static boolean isIgnorable(NamedConfiguration codec, CodecRegistry registry) {
    return !codec.mustUnderstand() && !registry.knows(codec.name());
  }

  /**
   * Returns a chain that a document of Zarr v3 can express: items whose fields have different byte
   * orders are stored little-endian, and categories as texts.
   */
  private static List<NamedConfiguration> sayable(
      List<NamedConfiguration> chain, DataType dataType) {
    boolean categories = chain.stream().anyMatch(codec -> codec.name().equals(CATEGORIES));
    List<NamedConfiguration> result = new ArrayList<>();
    for (NamedConfiguration codec : chain) {
      boolean toBytes = codec.name().equals("bytes") && categories;
      if (toBytes || codec.name().equals(STRUCT_BYTES)) {
        result.add(CodecDefaults.toBytes(dataType));
      } else if (!codec.name().equals(CATEGORIES)) {
        result.add(codec);
      }
    }
    return List.copyOf(result);
  }

  /**
   * Applies the user's codecs to a chain. With an array→bytes codec they are the whole chain,
   * otherwise they replace the bytes→bytes codecs.
   */
  private List<NamedConfiguration> replace(
      List<NamedConfiguration> chain, List<NamedConfiguration> wanted) {
    if (wanted.stream().anyMatch(this::isArrayToBytes)) {
      return wanted;
    }
    List<NamedConfiguration> result = new ArrayList<>();
    for (NamedConfiguration codec : chain) {
      result.add(codec);
      if (isArrayToBytes(codec)) {
        break;
      }
    }
    result.addAll(wanted);
    return List.copyOf(result);
  }

  private boolean isArrayToBytes(NamedConfiguration codec) {
    return !isIgnorable(codec, registry) && registry.create(codec) instanceof ArrayToBytesCodec;
  }
}
