package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonText;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where an array's chunks are, and how they are coded: its metadata with its meaning found. */
public final class ArrayStorage {
  /** Checking the lengths of chunks looks at this many extents and parts of codecs. */
  private static final int MAX_CHECKS = 1 << 20;

  private final Client client;
  private final NodePath path;
  private final ArrayMetadata metadata;
  private final ChunkGrid grid;
  private final ChunkKeyEncoding keys;
  private final CodecChain chain;
  private final ChunkCodec largest;
  private final @Nullable String form;

  private ArrayStorage(Client client, NodePath path, ArrayMetadata metadata, CodecRegistry codecs) {
    this.client = client;
    this.path = path;
    this.metadata = metadata;
    grid = ChunkGrid.of(metadata.chunkGrid(), metadata.shape());
    keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    chain = CodecChain.of(metadata.codecs(), metadata.codecsSource(), codecs);
    largest = chain.bind(representation(grid.largestChunkShape()));
    checkOtherShapes();
    form = isKept() ? JsonText.write(metadata.document()) : null;
  }

  /**
   * Whether decoded chunks are kept. Not those of elements of any length, whose size in memory
   * nobody knows, nor the chunks of nested shards, which are found shard by shard.
   */
  private boolean isKept() {
    ShardLayout shard = largest.shardLayout();
    return client.decodedChunks() != null
        && !(metadata.dataType() instanceof VariableLengthType)
        && (shard == null || shard.innerCodec().shardLayout() == null);
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
      Client client, NodePath path, ArrayMetadata metadata, CodecRegistry codecs) {
    try {
      return new ArrayStorage(client, path, metadata, codecs);
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
    return client.store();
  }

  /** The store, for requests. */
  Store requests() {
    return client.requests();
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
  Client client() {
    return client;
  }

  /** What an operation may use. */
  Limits limits() {
    return client.limits();
  }

  /** What a decoded chunk is known by; null where chunks of this array are not kept. */
  DecodedChunks.@Nullable Id decodedId(WantedChunk wanted) {
    return form == null
        ? null
        : new DecodedChunks.Id(
            key(wanted.gridIndex()), form, Arrays.stream(wanted.start()).boxed().toList());
  }

  /** The codec of the chunk at {@code index}. */
  ChunkCodec codec(long... index) {
    Shape shape = grid.chunkShape(index);
    return shape.equals(largest.representation().shape())
        ? largest
        : chain.bind(representation(shape));
  }

  /** The key of the chunk at {@code index}. */
  public StoreKey key(long... index) {
    return metadata.chunkKey(path, keys.encode(index));
  }

  /** Where the bytes of the chunk at {@code index} are. */
  ByteSource source(long... index) {
    return new ByteSource.Stored(client.requests(), key(index), null);
  }

  /**
   * The stored bytes of the chunk at {@code index}, fetched whole; empty where it is missing. An
   * error where the object has more bytes than the codecs can need.
   */
  Mono<Bytes> stored(ChunkCodec codec, long... index) {
    StoreKey key = key(index);
    return WholeChunk.checked(
        codec, Mono.defer(() -> requests().get(key, WholeChunk.range(codec))));
  }

  /** What a projection wants of a chunk. */
  WantedChunk wantedChunk(ChunkProjection projection) {
    long[] index = projection.chunkIndex();
    return new WantedChunk(
        codec(index), projection, index, grid.chunkStart(index), location(index));
  }

  /** True where chunks are shards whose inner chunks are read one by one. */
  boolean isSharded() {
    return largest.shardLayout() != null;
  }

  /** The place of the chunk at {@code index}, for errors. */
  Location location(long... index) {
    return Location.ofNode(path.value()).chunk(index).key(key(index).value());
  }

  /** How many chunks may be written at a time: each is held decoded and encoded. */
  int writeConcurrency() {
    long size = Math.max(1, largest.representation().byteSize());
    return (int) Math.max(1, Math.min(limits().concurrency(), limits().inFlightBytes() / size / 2));
  }

  /** What can be done with the array at all. */
  ArrayChecks checks() {
    return new ArrayChecks(this, largest, chain.isWritable());
  }

  /**
   * Allocates memory for a selection's elements.
   *
   * @throws dev.zarrreactive.error.MemoryExhaustedException where the heap has no room for them
   */
  ElementMemory newResult(Shape selected) {
    return MemoryGuard.allocating(
        "for a result of shape "
            + selected
            + "; read a smaller selection, or stream the chunks with chunks(selection)",
        representation(selected).byteSize(),
        Location.ofNode(path.value()),
        () -> ElementMemory.allocate(metadata.dataType(), selected));
  }
}
