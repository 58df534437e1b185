package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.planning.ChunkProjection;
import org.jspecify.annotations.Nullable;

/** A chunk, or an inner chunk of a shard, of which something is to be read. */
final class EncodedChunk {
  private final @Nullable ByteSource source;
  private final ChunkCodec codec;
  private final ChunkProjection projection;
  private final long[] gridIndex;
  private final long[] start;
  private final Location location;

  /**
   * A chunk to read.
   *
   * @param source where its bytes are; null where it is known to be missing
   * @param codec what decodes it
   * @param projection what is to be taken of it
   * @param gridIndex the index, in the array's chunk grid, of the chunk or of the shard it is in
   * @param start its first element in the array
   * @param location where it is, for errors
   */
  EncodedChunk(
      @Nullable ByteSource source,
      ChunkCodec codec,
      ChunkProjection projection,
      long[] gridIndex,
      long[] start,
      Location location) {
    this.source = source;
    this.codec = codec;
    this.projection = projection;
    this.gridIndex = gridIndex;
    this.start = start;
    this.location = location;
  }

  @Nullable ByteSource source() {
    return source;
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

  long[] start() {
    return start;
  }

  Location location() {
    return location;
  }

  EncodedChunk missing() {
    return from(null);
  }

  /** The same chunk, its bytes from elsewhere. */
  EncodedChunk from(@Nullable ByteSource other) {
    return new EncodedChunk(other, codec, projection, gridIndex, start, location);
  }
}
