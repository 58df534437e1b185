package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.ByteRange;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to fetch a shard whole, in one request: that all or nearly all of it is wanted,
 * that it has no more bytes than its inner chunks can need, and that it fits into half of the
 * budget together with what is decoded of it.
 */
final class WholeShard {
  private static final double NEARLY_ALL = 0.9;

  /** The bytes of the index for each inner chunk. */
  private static final long INDEX_ENTRY = 16;

  private final Reading reading;
  private final long encoded;
  private final long innermost;
  private final long decodedEach;
  private final long maxBytes;

  private WholeShard(
      Reading reading, long encoded, long innermost, long decodedEach, long maxBytes) {
    this.reading = reading;
    this.maxBytes = maxBytes;
    this.encoded = encoded;
    this.innermost = innermost;
    this.decodedEach = decodedEach;
  }

  /**
   * The shard, where it is to be fetched whole; null where it is not.
   *
   * @param known its index, where it is known
   */
  static @Nullable WholeShard of(
      Reading reading, WantedChunk shard, ShardLayout layout, @Nullable KnownIndex known) {
    if (!wantsNearlyAll(reading, shard, layout, known)) {
      return null;
    }
    long encoded =
        known == null
            ? Reading.expected(shard.decodedBytes())
            : Math.max(known.index().end(), 0); // the index, besides, is 16 bytes for each chunk
    long most = reading.mostBytes() / 2;
    if (encoded > most || (known != null && encoded > layout.encodedSize().bytes())) {
      return null;
    }
    WholeShard whole = of(reading, shard, layout, encoded);
    long decoded = reading.decodedAtOnce(whole.innermost, whole.decodedEach);
    boolean fits = whole.innermost <= Integer.MAX_VALUE && decoded <= most - encoded;
    return fits ? whole : null;
  }

  private static WholeShard of(
      Reading reading, WantedChunk shard, ShardLayout layout, long encoded) {
    long index = layout.innerGrid().gridShape().elementCount().longValue() * INDEX_ENTRY;
    return new WholeShard(
        reading,
        encoded,
        innermost(shard, layout),
        decodedEach(layout),
        Math.max(layout.encodedSize().bytes(), HeldBytes.sum(encoded, 2 * index)));
  }

  /** Holds the bytes of a shard that is fetched already, and what is decoded of them. */
  static HeldBytes hold(Reading reading, WantedChunk shard, ShardLayout layout, long fetched) {
    return of(reading, shard, layout, fetched).hold();
  }

  /**
   * Returns how many bytes the shard may have to be fetched whole; a larger one is by its index.
   */
  long maxBytes() {
    return maxBytes;
  }

  HeldBytes hold() {
    return reading.hold(Math.toIntExact(innermost), encoded, decodedEach);
  }

  static boolean wantsNearlyAll(
      Reading reading, WantedChunk shard, ShardLayout layout, @Nullable KnownIndex known) {
    if (shard.isWanted(reading.array().metadata().shape())) {
      return true;
    }
    ChunkPlan plan = shard.innerChunks(layout);
    return known == null
        ? nearlyAll(
            (double) plan.size(), layout.innerGrid().gridShape().elementCount().doubleValue())
        : plan.size() > 1
            && nearlyAll(wantedBytes(plan, known.index()), (double) known.index().end());
  }

  private static double wantedBytes(ChunkPlan plan, ShardIndex index) {
    double bytes = 0;
    for (ChunkProjection inner : plan) {
      ByteRange.Slice place = index.find(inner.chunkIndex());
      bytes += place == null ? 0 : (double) place.length();
    }
    return bytes;
  }

  private static boolean nearlyAll(double wanted, double all) {
    return wanted >= NEARLY_ALL * all;
  }

  /** How many innermost chunks are wanted. */
  private static long innermost(WantedChunk shard, ShardLayout layout) {
    ShardLayout nested = layout.innerCodec().shardLayout();
    ChunkPlan plan = shard.innerChunks(layout);
    if (nested == null) {
      return plan.size();
    }
    long chunks = 0;
    for (ChunkProjection inner : plan) {
      chunks = HeldBytes.sum(chunks, innermost(shard.innerChunk(layout, inner), nested));
    }
    return chunks;
  }

  private static long decodedEach(ShardLayout layout) {
    ShardLayout nested = layout.innerCodec().shardLayout();
    return nested == null ? layout.innerCodec().representation().byteSize() : decodedEach(nested);
  }
}
