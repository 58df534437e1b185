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
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;

/** Where an array's chunks are, and how they are coded: its metadata with its meaning found. */
public final class ArrayStorage {
  private final Store store;
  private final NodePath path;
  private final ArrayMetadata metadata;
  private final Limits limits;
  private final ShardIndexes shardIndexes;
  private final ChunkGrid grid;
  private final ChunkKeyEncoding keys;
  private final CodecChain chain;
  private final ChunkCodec largest;

  private ArrayStorage(
      Store store,
      NodePath path,
      ArrayMetadata metadata,
      CodecRegistry codecs,
      Limits limits,
      ShardIndexes shardIndexes) {
    this.store = store;
    this.path = path;
    this.metadata = metadata;
    this.limits = limits;
    this.shardIndexes = shardIndexes;
    grid = ChunkGrid.of(metadata.chunkGrid(), metadata.shape());
    keys = ChunkKeyEncoding.of(metadata.chunkKeyEncoding());
    chain = CodecChain.of(metadata.codecs(), metadata.codecsSource(), codecs);
    largest = chain.bind(representation(grid.largestChunkShape()));
    checkOtherShapes();
  }

  /** Chunks of every length a dimension has must do for the codecs, not only the longest. */
  private void checkOtherShapes() {
    for (int d = 0; d < grid.rank(); d++) {
      int dimension = d;
      long[] shape = grid.largestChunkShape().toArray();
      grid.dimension(d)
          .lengths()
          .filter(length -> length != shape[dimension])
          .forEach(
              length -> {
                long[] other = shape.clone();
                other[dimension] = length;
                chain.bind(representation(Shape.of(other)));
              });
    }
  }

  /**
   * Finds the meaning of an array's metadata; whatever is wrong with it is found now.
   *
   * @throws dev.zarrreactive.error.UnknownExtensionException where nobody knows a name
   * @throws dev.zarrreactive.error.MetadataException where something does not fit the rest
   */
  public static ArrayStorage of(
      Store store,
      NodePath path,
      ArrayMetadata metadata,
      CodecRegistry codecs,
      Limits limits,
      ShardIndexes shardIndexes) {
    try {
      return new ArrayStorage(store, path, metadata, codecs, limits, shardIndexes);
    } catch (ZarrException e) {
      throw e.at(Location.ofNode(path.value()));
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
    return store;
  }

  /** The array's path in the store. */
  public NodePath path() {
    return path;
  }

  /** How the array is divided into chunks. */
  public ChunkGrid grid() {
    return grid;
  }

  /** What an operation may use. */
  Limits limits() {
    return limits;
  }

  /** What is known of shards in the store. */
  ShardIndexes shardIndexes() {
    return shardIndexes;
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
    return new ByteSource.Stored(store, key(index));
  }

  /** The chunk that is to be read for a projection. */
  EncodedChunk encodedChunk(ChunkProjection projection) {
    long[] index = projection.chunkIndex();
    return new EncodedChunk(
        source(index), codec(index), projection, index, grid.chunkStart(index), location(index));
  }

  /** True where chunks are shards whose inner chunks are read one by one. */
  boolean isSharded() {
    return largest.shardLayout() != null;
  }

  /** The place of the chunk at {@code index}, for errors. */
  Location location(long... index) {
    return Location.ofNode(path.value()).chunk(index).key(key(index).value());
  }

  /** What is fetched and decoded at a time: chunks, or where they are shards the innermost ones. */
  private ChunkCodec readUnit() {
    ChunkCodec unit = largest;
    for (ShardLayout shard = unit.shardLayout(); shard != null; shard = unit.shardLayout()) {
      unit = shard.innerCodec();
    }
    return unit;
  }

  /**
   * How many chunks may be in flight: each may be held encoded and decoded at a time. A quarter of
   * the bytes is for shards that are fetched whole.
   */
  int concurrency() {
    long size = Math.max(1, readUnit().representation().byteSize());
    long bytes = limits.inFlightBytes() - (isSharded() ? limits.inFlightBytes() / 4 : 0);
    long inFlight = bytes / size / 2;
    return (int) Math.max(1, Math.min(limits.concurrency(), inFlight));
  }

  /**
   * Checks that what is decoded at a time fits into memory.
   *
   * @throws UnsupportedFeatureException where it is larger than a Java array
   */
  void checkReadable() {
    checkSize(readUnit());
  }

  /**
   * Checks that whole chunks fit into memory, also those that are shards.
   *
   * @throws UnsupportedFeatureException where one is larger than a Java array
   */
  void checkWholeReadable() {
    checkSize(largest);
  }

  private void checkSize(ChunkCodec codec) {
    if (!codec.representation().fitsOneArray()) {
      throw new UnsupportedFeatureException(
          "chunks of shape "
              + codec.representation().shape()
              + " are larger than one Java array holds (2 GiB)",
          Location.ofNode(path.value()));
    }
  }

  /**
   * Checks that a selection's elements fit into memory.
   *
   * @throws UnsupportedFeatureException where they are more than a Java array holds
   */
  void checkResult(Shape selected) {
    try {
      ElementMemory.slots(metadata.dataType(), selected);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedFeatureException(
          String.valueOf(e.getMessage()), Location.ofNode(path.value()));
    }
  }

  /**
   * Memory for a selection's elements.
   *
   * @throws UnsupportedFeatureException where the heap has no room for them
   */
  ElementMemory newResult(Shape selected) {
    try {
      return ElementMemory.allocate(metadata.dataType(), selected);
    } catch (OutOfMemoryError e) {
      throw new UnsupportedFeatureException(
          "not enough memory for a result of shape "
              + selected
              + "; read a smaller selection, or stream the chunks with chunks(selection)",
          Location.ofNode(path.value()),
          e);
    }
  }

  /**
   * Checks that chunks may be written, before anything is.
   *
   * @throws StoreCapabilityException where the store takes no values
   * @throws UnsupportedFeatureException where a part of the metadata is not understood, or is of a
   *     draft
   */
  void checkWritable() {
    checkWholeReadable();
    checkStoreWritable();
    if (metadata.draft() != null) {
      throw metadata.draft().refusesWrites(Location.ofNode(path.value()));
    }
    if (!chain.isWritable() || !metadata.isWritable()) {
      throw new UnsupportedFeatureException(
          "the array has a codec or storage transformer that is unknown here and may be ignored"
              + " by readers, so that it can be read but not written",
          Location.ofNode(path.value()));
    }
  }

  /**
   * Checks that the store takes values.
   *
   * @throws StoreCapabilityException where it does not
   */
  void checkStoreWritable() {
    if (!store.capabilities().contains(StoreCapability.WRITE)) {
      throw new StoreCapabilityException(
          store + " cannot be written to: it has " + store.capabilities(),
          Location.ofNode(path.value()));
    }
  }
}
