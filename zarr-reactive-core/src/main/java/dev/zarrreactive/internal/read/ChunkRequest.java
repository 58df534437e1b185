package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /** Returns the chunk itself as a piece. */
  Piece piece() {
    return new Piece(this, codec, projection, first, 0, null);
  }

  /** Returns an innermost chunk of this chunk, which is a shard, as a piece. */
  Piece innerPiece(ShardLevels levels, ChunkProjection inner, long number) {
    return new Piece(this, levels.unit(), inner, number, levels.number(inner.chunkIndex()), levels);
  }

  @Override
  public String toString() {
    return key + " for " + projection;
  }

  /** Returns the location of an innermost chunk, its indices listed from the outside in. */
  static Location inside(Location shard, @Nullable ShardLevels levels, long[] unitIndex) {
    Location place = shard;
    for (int level = 0; levels != null && level < levels.layouts().size(); level++) {
      place = place.innerChunk(levels.indexAt(level, unitIndex));
    }
    return place;
  }
}
