package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Arrays;

/** A chunk, or an inner chunk of a shard, of which something is to be read. */
final class WantedChunk {
  private final ChunkCodec codec;
  private final ChunkProjection projection;
  private final long[] gridIndex;
  private final long[] start;
  private final Location location;

  /**
   * A chunk to read.
   *
   * @param codec what decodes it
   * @param projection what is to be taken of it
   * @param gridIndex the index, in the array's chunk grid, of the chunk or of the shard it is in
   * @param start its first element in the array
   * @param location where it is, for errors
   */
  WantedChunk(
      ChunkCodec codec,
      ChunkProjection projection,
      long[] gridIndex,
      long[] start,
      Location location) {
    this.codec = codec;
    this.projection = projection;
    this.gridIndex = gridIndex;
    this.start = start;
    this.location = location;
  }

  ChunkCodec codec() {
    return codec;
  }

  ChunkProjection projection() {
    return projection;
  }

  long[] gridIndex() {
    return gridIndex;
  }

  /** Its first element in the array; not a copy. */
  long[] start() {
    return start;
  }

  Location location() {
    return location;
  }

  /** The size of its decoded elements. */
  long decodedBytes() {
    return codec.representation().byteSize();
  }

  /** True where all of it is wanted that is inside an array of this shape. */
  boolean isWanted(Shape arrayShape) {
    return projection.region().coversChunk(start, arrayShape);
  }

  /** Where this is a shard, what is wanted of its inner chunks. */
  ChunkPlan innerChunks(ShardLayout layout) {
    return ChunkPlan.inside(projection, start, layout.innerGrid());
  }

  /** Where this is a shard, one of its inner chunks. */
  WantedChunk innerChunk(ShardLayout layout, ChunkProjection inner) {
    long[] innerStart = layout.innerGrid().chunkStart(inner.chunkIndex());
    Arrays.setAll(innerStart, d -> innerStart[d] + start[d]);
    return new WantedChunk(
        layout.innerCodec(), inner, gridIndex, innerStart, location.innerChunk(inner.chunkIndex()));
  }
}
