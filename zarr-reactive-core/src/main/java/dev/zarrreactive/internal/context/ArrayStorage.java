package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.HierarchyContext.Limits;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The resolved metadata of an array in a store: the keys of its chunks, their grid and their
 * codecs.
 */
public final class ArrayStorage {
  /**
   * The most work for the check of chunk shapes, in shapes times their dimensions and codec
   * metadata.
   */
  private static final int MAX_CHECKS = 1 << 20;

  private final HierarchyContext context;
  private final NodePath path;
  private final KnownShapes.KnownArray known;
  private final ArrayMetadata metadata;
  private final CodecRegistry codecs;
  private final ChunkGrid grid;
  private final ChunkKeyEncoding keys;
  private final String keyPrefix;
  private final CodecChain chain;
  private final ChunkCodec largest;
  private final ArrayForm form;
  private final @Nullable ShardLevels largestLevels;

  private ArrayStorage(
      HierarchyContext context, NodePath path, ArrayMetadata metadata, CodecRegistry codecs) {
    this.context = context;
    this.path = path;
    this.known = context.opened(path);
    this.metadata = metadata;
    this.codecs = codecs;
    grid = ChunkGrid.of(metadata.chunkGrid(), metadata.shape());
    keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    keys.encode(new long[grid.rank()]); // refuses a rank without keys
    String first = metadata.chunkKey(path, "0").value();
    keyPrefix = first.substring(0, first.length() - 1);
    chain = CodecChain.of(metadata.codecs(), metadata.codecsSource(), codecs);
    largest = chain.bind(representation(grid.largestChunkShape()));
    checkOtherShapes();
    form = new ArrayForm(metadata.document());
    largestLevels = ShardLevels.of(largest);
  }

  /**
   * Checks that the codecs accept chunks of every length, and not only of the largest one. If there
   * are very many lengths, the first ones are checked here, and each other one when it is read.
   */
  private void checkOtherShapes() {
    long[] shape = grid.largestChunkShape().toArray();
    long left = MAX_CHECKS / (1 + shape.length + size(metadata.codecsSource().value()));
    for (int d = 0; d < shape.length && left > 0; d++) {
      long longest = shape[d];
      LongStream others = grid.dimension(d).lengths().filter(length -> length != longest);
      for (long length : others.limit(left).toArray()) {
        shape[d] = length;
        chain.bind(representation(Shape.of(shape)));
        left--;
      }
      shape[d] = longest;
    }
  }

  /** Returns the number of values in a JSON value, itself included. */
  private static long size(JsonValue json) {
    long size = 1;
    if (json instanceof JsonObject object) {
      for (JsonValue member : object.members().values()) {
        size += size(member);
      }
    } else if (json instanceof JsonArray array) {
      for (JsonValue element : array.elements()) {
        size += size(element);
      }
    }
    return size;
  }

  /**
   * Resolves an array's metadata. Every error in the metadata is signalled here.
   *
   * @throws dev.zarrreactive.error.UnknownExtensionException if the name of an extension is unknown
   * @throws dev.zarrreactive.error.MetadataException if parts of the metadata contradict each other
   */
  public static ArrayStorage of(
      HierarchyContext context, NodePath path, ArrayMetadata metadata, CodecRegistry codecs) {
    try {
      return new ArrayStorage(context, path, metadata, codecs);
    } catch (ZarrException e) {
      throw e.at(Location.ofNode(path.value()));
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "to open the array",
          MemoryExhaustedException.UNKNOWN_SIZE,
          Location.ofNode(path.value()),
          e);
    }
  }

  private ChunkRepresentation representation(Shape chunkShape) {
    return new ChunkRepresentation(chunkShape, metadata.dataType(), metadata.fillValue());
  }

  /**
   * Returns the same array with other metadata.
   *
   * @throws dev.zarrreactive.error.MetadataException if parts of them contradict each other
   */
  public ArrayStorage with(ArrayMetadata other) {
    return of(context, path, other, codecs);
  }

  /**
   * Returns the largest shape that is known of the array: along each axis the longer one of this
   * handle's shape and the shape that this process has last given to the array. A write replaces a
   * chunk unread only if it covers all elements of the chunk inside of this shape. So a write
   * through an old handle keeps what was appended since.
   */
  public Shape furthestShape() {
    Shape own = metadata.shape();
    Shape last = known.lastShape();
    if (last == null || last.rank() != own.rank()) {
      return own;
    }
    long[] furthest = own.toArray();
    Arrays.setAll(furthest, d -> Math.max(furthest[d], last.extent(d)));
    return Shape.of(furthest);
  }

  /** Returns the array's metadata. */
  public ArrayMetadata metadata() {
    return metadata;
  }

  /** Returns the store that holds the array. */
  public Store store() {
    return context.store();
  }

  /** Returns the same store for requests: limited, measured and observed. */
  public Store requests() {
    return context.requests();
  }

  /** Returns the array's path in the store. */
  public NodePath path() {
    return path;
  }

  /** Returns the chunk grid. */
  public ChunkGrid grid() {
    return grid;
  }

  /** Returns the state that all arrays of the hierarchy share. */
  public HierarchyContext context() {
    return context;
  }

  /** Returns the limits of each operation. */
  public Limits limits() {
    return context.limits();
  }

  /** Returns the metadata as a part of keys. */
  public ArrayForm form() {
    return form;
  }

  /**
   * Returns true if decoded chunks are cached. Chunks of a data type with variable length are not,
   * since their size in memory is unknown.
   */
  public boolean keepsDecodedChunks() {
    return context.decodedChunks().isKeeping()
        && !(metadata.dataType() instanceof VariableLengthType);
  }

  /**
   * Returns a key for all chunks of the array together, at which no chunk is: that of its document.
   */
  public StoreKey placeOfAll() {
    return path.key(NodePath.DOCUMENT);
  }

  /** Returns true if a long can number the chunks of the grid. */
  public boolean hasNumbers() {
    return grid.gridShape().elementCountUpTo(Long.MAX_VALUE) < Long.MAX_VALUE;
  }

  /** Returns the codec of the chunk at {@code index}. */
  public ChunkCodec codec(long... index) {
    Shape shape = grid.chunkShape(index);
    return shape.equals(largest.representation().shape())
        ? largest
        : chain.bind(representation(shape));
  }

  /** Returns the key of the chunk at {@code index}. */
  public StoreKey key(long... index) {
    return StoreKey.of(keyPrefix + keys.encode(index));
  }

  /** Returns the index of the chunk at {@code key}, or null if it is the key of no chunk. */
  public long @Nullable [] index(StoreKey key) {
    String prefix = path.prefix().value();
    return keys.decode(key.value().substring(prefix.length()), grid.rank());
  }

  /** Returns the levels of the shards of {@code codec}; null if its chunks are plain. */
  public @Nullable ShardLevels shardLevels(ChunkCodec codec) {
    return codec == largest ? largestLevels : ShardLevels.of(codec);
  }

  /** Returns true if chunks are shards whose inner chunks can be read one by one. */
  public boolean isSharded() {
    return largestLevels != null;
  }

  /** Returns the location of the chunk at {@code index}, for errors. */
  public Location location(long... index) {
    return Location.ofNode(path.value()).chunk(index).key(key(index).value());
  }

  /** Returns a failure with its location, which is kept if the failure has one of a chunk. */
  public static ZarrException located(ZarrException failure, Location location) {
    return failure.location().chunkIndex() == null ? failure.at(location) : failure;
  }

  /**
   * Returns the most chunks that may be written at the same time. Each of them is in memory both
   * decoded and encoded.
   */
  public int writeConcurrency() {
    long size = Math.max(1, largest.representation().byteSize());
    return (int) Math.max(1, Math.min(limits().concurrency(), limits().inFlightBytes() / size / 2));
  }

  /** Returns the checks whether the array can be read or written. */
  public ArrayChecks checks() {
    return new ArrayChecks(this, largest, chain.isWritable());
  }

  /**
   * Allocates memory for a selection's elements.
   *
   * @throws dev.zarrreactive.error.MemoryExhaustedException if the heap has no room for them
   */
  public ElementMemory newResult(Shape selected) {
    return newResult(selected, metadata.dataType());
  }

  /** Allocates memory for a selection's elements, of another type; as {@link #newResult(Shape)}. */
  public ElementMemory newResult(Shape selected, DataType type) {
    return MemoryGuard.allocating(
        "for a result of shape "
            + selected
            + "; read a smaller selection, or stream the chunks with chunks(selection)",
        new ChunkRepresentation(selected, type, FillValue.zero(type)).byteSize(),
        Location.ofNode(path.value()),
        () -> ElementMemory.allocate(type, selected));
  }

  /**
   * The metadata of an array as a part of keys: arrays of equal forms decode their chunks alike.
   * The hash is computed once, and not before a chunk is fetched.
   */
  public static final class ArrayForm {
    private final JsonObject document;
    private int hash;

    ArrayForm(JsonObject document) {
      this.document = document;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other || (other instanceof ArrayForm that && isEqual(that));
    }

    private boolean isEqual(ArrayForm other) {
      return hashCode() == other.hashCode() && document.equals(other.document);
    }

    @Override
    public int hashCode() {
      int known = hash;
      if (known == 0) {
        known = document.hashCode();
        hash = known;
      }
      return known;
    }
  }

  /**
   * Checks whether an array can be read or written, before its first request to the store.
   *
   * @param array the array
   * @param largest the codec of its largest chunks
   * @param canEncode true if all its codecs can encode
   */
  public record ArrayChecks(ArrayStorage array, ChunkCodec largest, boolean canEncode) {

    /**
     * Checks that the unit of decoding fits into memory: a chunk, or an innermost chunk of a shard.
     *
     * @throws UnsupportedFeatureException if it is larger than a Java array
     */
    public void readable() {
      size(unit());
    }

    /**
     * Returns the codec of the unit of decoding: of the largest chunk, or of an innermost chunk of
     * a shard.
     */
    public ChunkCodec unit() {
      ChunkCodec unit = largest;
      for (ShardLayout shard = unit.shardLayout(); shard != null; shard = unit.shardLayout()) {
        unit = shard.innerCodec();
      }
      return unit;
    }

    /**
     * Checks that elements have a fixed size in memory.
     *
     * @throws UnsupportedFeatureException if the data type has a variable length
     */
    public void fixedSize() {
      fixedSize(array.metadata().dataType());
    }

    /** Checks a type of converted elements, as {@link #fixedSize()}. */
    public void fixedSize(DataType elements) {
      if (elements instanceof VariableLengthType type) {
        throw new UnsupportedFeatureException(
            "elements of "
                + type
                + " have a variable size in memory and have no place in a buffer;"
                + " read(selection) and chunks(selection) give them as objects",
            place());
      }
    }

    /**
     * Checks that whole chunks fit into memory, even if they are shards.
     *
     * @throws UnsupportedFeatureException if a chunk is larger than a Java array
     */
    public void wholeReadable() {
      size(largest);
    }

    private void size(ChunkCodec codec) {
      if (!codec.representation().fitsOneArray()) {
        throw new UnsupportedFeatureException(
            "chunks of shape "
                + codec.representation().shape()
                + " are larger than one Java array holds (2 GiB)",
            place());
      }
    }

    /**
     * Checks that a selection's elements fit into memory, in the type in which they are wanted.
     *
     * @throws UnsupportedFeatureException if they exceed the size of a Java array
     */
    public void result(Shape selected, DataType type) {
      try {
        ElementMemory.slots(type, selected);
      } catch (IllegalArgumentException e) {
        throw new UnsupportedFeatureException(String.valueOf(e.getMessage()), place());
      }
    }

    /**
     * Checks that chunks may be written, before the first of them is.
     *
     * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
     * @throws UnsupportedFeatureException if a part of the metadata is unknown, or belongs to a
     *     draft
     */
    public void writable() {
      wholeReadable();
      changeable();
    }

    /**
     * Checks that the metadata may be changed.
     *
     * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
     * @throws UnsupportedFeatureException if a part of the metadata is unknown, or belongs to a
     *     draft
     */
    public void changeable() {
      storeWritable();
      ArrayMetadata metadata = array.metadata();
      if (metadata.draft() != null) {
        throw metadata.draft().refusesWrites(place());
      }
      if (!canEncode || !metadata.isWritable()) {
        throw new UnsupportedFeatureException(
            "the array has a codec or storage transformer that is unknown here and may be ignored"
                + " by readers, so that it can be read but not written",
            place());
      }
    }

    /**
     * Checks that the store accepts values.
     *
     * @throws dev.zarrreactive.error.StoreCapabilityException if the store is read-only
     */
    public void storeWritable() {
      Store store = array.store();
      if (!store.capabilities().contains(StoreCapability.WRITE)) {
        throw StoreCapability.WRITE.refusal(store, "be written to", place());
      }
    }

    private Location place() {
      return Location.ofNode(array.path().value());
    }
  }
}
