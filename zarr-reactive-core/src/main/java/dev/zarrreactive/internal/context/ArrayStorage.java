package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Where an array's chunks are, and how they are coded: its metadata with its meaning found. */
public final class ArrayStorage {
  /** Checking the lengths of chunks looks at this many extents and parts of codecs. */
  private static final int MAX_CHECKS = 1 << 20;

  private final HierarchyContext context;
  private final NodePath path;
  private final ArrayMetadata metadata;
  private final ChunkGrid grid;
  private final ChunkKeyEncoding keys;
  private final CodecChain chain;
  private final ChunkCodec largest;
  private final String form;
  private final @Nullable ShardLevels largestLevels;

  private ArrayStorage(
      HierarchyContext context, NodePath path, ArrayMetadata metadata, CodecRegistry codecs) {
    this.context = context;
    this.path = path;
    this.metadata = metadata;
    grid = ChunkGrid.of(metadata.chunkGrid(), metadata.shape());
    keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    chain = CodecChain.of(metadata.codecs(), metadata.codecsSource(), codecs);
    largest = chain.bind(representation(grid.largestChunkShape()));
    checkOtherShapes();
    form = JsonText.write(metadata.document());
    largestLevels = ShardLevels.of(largest);
  }

  /**
   * Chunks of every length a dimension has must do for the codecs, not only the longest. Where
   * there are very many, the first ones are checked here, and any other when it is read.
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

  /** The number of values that a value has in it, and itself. */
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
   * Finds the meaning of an array's metadata; whatever is wrong with it is found now.
   *
   * @throws dev.zarrreactive.error.UnknownExtensionException where nobody knows a name
   * @throws dev.zarrreactive.error.MetadataException where something does not fit the rest
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

  /** The array's metadata. */
  public ArrayMetadata metadata() {
    return metadata;
  }

  /** The store that holds the array. */
  public Store store() {
    return context.store();
  }

  /** The store, for requests. */
  public Store requests() {
    return context.requests();
  }

  /** The array's path in the store. */
  public NodePath path() {
    return path;
  }

  /** How the array is divided into chunks. */
  public ChunkGrid grid() {
    return grid;
  }

  /** What all arrays of the hierarchy share. */
  public HierarchyContext context() {
    return context;
  }

  /** What an operation may use. */
  public Limits limits() {
    return context.limits();
  }

  /** Returns the metadata as text: arrays of one form decode their chunks alike. */
  public String form() {
    return form;
  }

  /**
   * Returns true where decoded chunks are kept: not chunks of elements of any length, whose size in
   * memory is unknown.
   */
  public boolean keepsDecodedChunks() {
    return context.decodedChunks().isKeeping()
        && !(metadata.dataType() instanceof VariableLengthType);
  }

  /** The codec of the chunk at {@code index}. */
  public ChunkCodec codec(long... index) {
    Shape shape = grid.chunkShape(index);
    return shape.equals(largest.representation().shape())
        ? largest
        : chain.bind(representation(shape));
  }

  /** The key of the chunk at {@code index}. */
  public StoreKey key(long... index) {
    return metadata.chunkKey(path, keys.encode(index));
  }

  /** Returns the levels of the shards of {@code codec}; null where a chunk is no shard. */
  public @Nullable ShardLevels shardLevels(ChunkCodec codec) {
    return codec == largest ? largestLevels : ShardLevels.of(codec);
  }

  /** True where chunks are shards whose inner chunks are read one by one. */
  public boolean isSharded() {
    return largestLevels != null;
  }

  /** The place of the chunk at {@code index}, for errors. */
  public Location location(long... index) {
    return Location.ofNode(path.value()).chunk(index).key(key(index).value());
  }

  /** How many chunks may be written at a time: each is held decoded and encoded. */
  public int writeConcurrency() {
    long size = Math.max(1, largest.representation().byteSize());
    return (int) Math.max(1, Math.min(limits().concurrency(), limits().inFlightBytes() / size / 2));
  }

  /** What can be done with the array at all. */
  public ArrayChecks checks() {
    return new ArrayChecks(this, largest, chain.isWritable());
  }

  /**
   * Allocates memory for a selection's elements.
   *
   * @throws dev.zarrreactive.error.MemoryExhaustedException where the heap has no room for them
   */
  public ElementMemory newResult(Shape selected) {
    return MemoryGuard.allocating(
        "for a result of shape "
            + selected
            + "; read a smaller selection, or stream the chunks with chunks(selection)",
        representation(selected).byteSize(),
        Location.ofNode(path.value()),
        () -> ElementMemory.allocate(metadata.dataType(), selected));
  }
}
