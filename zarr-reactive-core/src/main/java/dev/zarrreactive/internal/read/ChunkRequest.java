package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Objects;

/** A chunk of the array's grid, stored as one value, and the part of it to read. */
final class ChunkRequest {
  private final ArrayStorage array;
  private final ChunkProjection projection;
  private final ChunkCodec codec;
  private final StoreKey key;
  private final long first;

  /**
   * Creates a request.
   *
   * @param first the number of its first piece in the plan of the operation
   */
  ChunkRequest(ArrayStorage array, ChunkProjection projection, long first) {
    this.array = array;
    this.projection = projection;
    this.codec = array.codec(projection.chunkIndex());
    this.key = array.key(projection.chunkIndex());
    this.first = first;
  }

  ChunkProjection projection() {
    return projection;
  }

  /** Returns the codec of the whole chunk. */
  ChunkCodec codec() {
    return codec;
  }

  StoreKey key() {
    return key;
  }

  long first() {
    return first;
  }

  /** Returns the index in the array's chunk grid; not a copy. */
  long[] index() {
    return projection.chunkIndex();
  }

  Location location() {
    return array.location(index());
  }

  /** Returns the levels of this chunk, which is a shard. */
  ShardLevels levels() {
    return Objects.requireNonNull(array.shardLevels(codec));
  }

  /** Returns the plan of the innermost chunks of this chunk, which is a shard. */
  ChunkPlan innerChunks() {
    return ChunkPlan.inside(projection, array.grid().chunkStart(index()), levels().grid());
  }

  /** Returns true if the request covers all of the chunk that lies within the array. */
  boolean isWantedWhole() {
    Shape shape = array.metadata().shape();
    return projection.region().coversChunk(array.grid().chunkStart(index()), shape);
  }

  @Override
  public String toString() {
    return key + " for " + projection;
  }

  /** Returns a failure with its location, which is kept if the failure has one of a chunk. */
  static ZarrException located(ZarrException failure, Location location) {
    return failure.location().chunkIndex() == null ? failure.at(location) : failure;
  }
}
