package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.planning.ChunkProjection;
import org.jspecify.annotations.Nullable;

/**
 * A chunk, or an innermost chunk of a shard: the unit of decoding. The fetch planner sets the range
 * of its bytes. One thread at a time uses a piece.
 */
final class Piece {
  private static final long MISSING = -1;

  private final ChunkRequest chunk;
  private final ChunkCodec codec;
  private final ChunkProjection projection;
  private final long number;
  private final long inner;
  private final @Nullable ShardLevels levels;
  private long offset = MISSING;
  private long length;
  private long held;
  private @Nullable NdArray known;
  private boolean isCached;

  /**
   * Creates a piece.
   *
   * @param number its place in the plan of the operation
   * @param inner its number in the shard; 0 if it is stored as a value of its own
   * @param levels the levels of its shard; null if it is stored as a value of its own
   */
  Piece(
      ChunkRequest chunk,
      ChunkCodec codec,
      ChunkProjection projection,
      long number,
      long inner,
      @Nullable ShardLevels levels) {
    this.chunk = chunk;
    this.codec = codec;
    this.projection = projection;
    this.number = number;
    this.inner = inner;
    this.levels = levels;
  }

  ChunkRequest chunk() {
    return chunk;
  }

  ChunkCodec codec() {
    return codec;
  }

  ChunkProjection projection() {
    return projection;
  }

  long number() {
    return number;
  }

  long inner() {
    return inner;
  }

  boolean isInShard() {
    return levels != null;
  }

  /** Returns the index in the grid of innermost chunks of its shard; not a copy. */
  long[] innerIndex() {
    return projection.chunkIndex();
  }

  long decodedBytes() {
    return codec.representation().byteSize();
  }

  /** Returns the range of its bytes in the stored value; null if the piece is missing. */
  ByteRange.@Nullable Slice place() {
    return offset == MISSING ? null : new ByteRange.Slice(offset, length);
  }

  boolean isMissing() {
    return offset == MISSING;
  }

  long offset() {
    return offset;
  }

  long length() {
    return length;
  }

  void place(ByteRange.@Nullable Slice place) {
    offset = place == null ? MISSING : place.offset();
    length = place == null ? 0 : place.length();
  }

  /** Returns true if an index gives it more bytes than its codecs can need. */
  boolean isTooLarge() {
    return length > codec.maxStoredBytes() && isInShard();
  }

  CodecException tooLarge() {
    return new CodecException(
        "the shard's index gives the inner chunk "
            + length
            + " bytes, expected "
            + codec.encodedSize(),
        Location.UNKNOWN);
  }

  /** Returns the decoded chunk if it is in memory already. */
  @Nullable NdArray known() {
    return known;
  }

  void known(NdArray decoded) {
    known = decoded;
  }

  /** Returns true if the decoded chunk was in the cache. */
  boolean isCached() {
    return isCached;
  }

  void cached(NdArray decoded) {
    known = decoded;
    isCached = true;
  }

  /** Returns the number of decoded bytes that are leased for it. */
  long held() {
    return held;
  }

  void held(long bytes) {
    held = bytes;
  }

  /** Returns its location, for errors. */
  Location location() {
    return ChunkRequest.inside(chunk.location(), levels, projection.chunkIndex());
  }
}
