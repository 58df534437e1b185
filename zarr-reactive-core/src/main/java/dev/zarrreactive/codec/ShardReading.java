package dev.zarrreactive.codec;

import dev.zarrreactive.store.Coalescing;

/**
 * How inner chunks are read from shards. Immutable; each {@code with} method makes a changed copy.
 *
 * @param coalescing when inner chunks of one shard are fetched together
 * @param indexCacheBytes how many bytes of decoded indexes are kept; 0 to keep none
 * @param speculativeTail how many bytes at a shard's end are fetched where its index is there; 0
 *     for the index alone
 */
public record ShardReading(Coalescing coalescing, long indexCacheBytes, int speculativeTail) {
  private static final ShardReading DEFAULTS =
      new ShardReading(
          Coalescing.adaptive(), Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 32), 0);

  /** A way of reading; the numbers may not be negative. */
  public ShardReading {
    if (indexCacheBytes < 0 || speculativeTail < 0) {
      throw new IllegalArgumentException(
          "not a number of bytes: " + Math.min(indexCacheBytes, speculativeTail));
    }
  }

  /**
   * The defaults: {@link Coalescing#adaptive()}, the smaller of 32 MiB and a thirty-second part of
   * the heap for indexes, no speculation.
   */
  public static ShardReading defaults() {
    return DEFAULTS;
  }

  /** With inner chunks fetched together so. */
  public ShardReading withCoalescing(Coalescing policy) {
    return new ShardReading(policy, indexCacheBytes, speculativeTail);
  }

  /** With so many bytes of decoded indexes kept for each opened hierarchy; 0 to keep none. */
  public ShardReading withIndexCacheBytes(long bytes) {
    return new ShardReading(coalescing, bytes, speculativeTail);
  }

  /**
   * With so many bytes at a shard's end fetched where the index is there: a shard that is smaller
   * costs one request, any other the more bytes. An index that is larger is fetched whole.
   */
  public ShardReading withSpeculativeTail(int bytes) {
    return new ShardReading(coalescing, indexCacheBytes, bytes);
  }
}
