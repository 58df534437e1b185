package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ShardLevels;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of the array's grid, stored as one value, and the part of it to read.
 *
 * @param codec the codec of the whole chunk
 * @param first the number of its first piece in the plan of the operation
 */
record ChunkRequest(
    ArrayStorage array, ChunkProjection projection, ChunkCodec codec, StoreKey key, long first) {
  /** Returns the request for the part of a chunk. */
  static ChunkRequest of(ArrayStorage array, ChunkProjection projection, long first) {
    long[] index = projection.chunkIndex();
    return new ChunkRequest(array, projection, array.codec(index), array.key(index), first);
  }

  /** Returns the index in the array's chunk grid; not a copy. */
  long[] index() {
    return projection.chunkIndex();
  }

  Location location() {
    return array.location(index());
  }

  /** Returns the number of this chunk in the grid of the array, in C order. */
  long number() {
    long[] index = index();
    long number = 0;
    for (int d = 0; d < index.length; d++) {
      number = number * array.grid().dimension(d).count() + index[d];
    }
    return number;
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

  /**
   * A chunk, or an innermost chunk of a shard: the unit of decoding. The index of a shard gives the
   * range of its bytes. One thread at a time uses a piece.
   */
  static final class Piece {
    private final ChunkRequest chunk;
    private final ChunkProjection projection;
    private final long number;
    private final long inner;
    private final @Nullable ShardLevels levels;
    private ByteRange.@Nullable Slice range;
    private long held;
    private @Nullable NdArray known;
    private boolean isCached;

    private Piece(
        ChunkRequest chunk,
        ChunkProjection projection,
        long number,
        long inner,
        @Nullable ShardLevels levels) {
      this.chunk = chunk;
      this.projection = projection;
      this.number = number;
      this.inner = inner;
      this.levels = levels;
    }

    /** Returns a chunk that is stored as a value of its own. */
    static Piece of(ChunkRequest chunk) {
      return new Piece(chunk, chunk.projection(), chunk.first(), 0, null);
    }

    /**
     * Returns an innermost chunk of a shard.
     *
     * @param number its place in the plan of the operation
     */
    static Piece of(ChunkRequest shard, ShardLevels levels, ChunkProjection inner, long number) {
      return new Piece(shard, inner, number, levels.number(inner.chunkIndex()), levels);
    }

    ChunkRequest chunk() {
      return chunk;
    }

    ChunkCodec codec() {
      return levels == null ? chunk.codec() : levels.unit();
    }

    ChunkProjection projection() {
      return projection;
    }

    /** Returns its place in the plan of the operation. */
    long number() {
      return number;
    }

    /** Returns its number in the shard; 0 if it is stored as a value of its own. */
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
      return codec().representation().byteSize();
    }

    /** Returns the range of its bytes in the stored value; null if the piece is missing. */
    ByteRange.@Nullable Slice range() {
      return range;
    }

    boolean isMissing() {
      return range == null;
    }

    /** Returns the number of its stored bytes; 0 if the piece is missing. */
    long length() {
      return range == null ? 0 : range.length();
    }

    /** Sets the range of its bytes in the stored value; null if the piece is missing. */
    void locate(ByteRange.@Nullable Slice range) {
      this.range = range;
    }

    /** Returns true if an index gives it more bytes than its codecs can need. */
    boolean isTooLarge() {
      return length() > codec().maxStoredBytes() && isInShard();
    }

    CodecException tooLarge() {
      return new CodecException(
          "the shard's index gives the inner chunk "
              + length()
              + " bytes, expected "
              + codec().encodedSize(),
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

    /** Returns its location, for errors, with the indices of inner chunks from the outside in. */
    Location location() {
      Location location = chunk.location();
      for (int level = 0; levels != null && level < levels.layouts().size(); level++) {
        location = location.innerChunk(levels.indexAt(level, innerIndex()));
      }
      return location;
    }

    /**
     * Decodes a chunk into memory of its own, since a view of a part would retain the whole
     * response.
     */
    static NdArray decodeAlone(ChunkCodec codec, Bytes encoded) {
      if (encoded.unsafeArray().length / 2 <= encoded.size()) {
        return codec.decode(encoded);
      }
      ChunkRepresentation decoded = codec.representation();
      ElementMemory memory = ElementMemory.allocate(decoded.dataType(), decoded.shape());
      codec.decodeInto(encoded, memory, 0);
      return memory.toNdArray(decoded.shape());
    }
  }
}
