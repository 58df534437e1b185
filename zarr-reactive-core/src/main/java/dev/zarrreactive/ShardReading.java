package dev.zarrreactive;

import dev.zarrreactive.store.Coalescing;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options for reading inner chunks from shards. Immutable: each {@code with} method returns a
 * changed copy.
 */
public final class ShardReading {
  private static final ShardReading DEFAULTS =
      new ShardReading(
          Coalescing.adaptive(), Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 32), 0);

  private final Coalescing coalescing;
  private final long indexCacheBytes;
  private final int speculativeTail;

  private ShardReading(Coalescing coalescing, long indexCacheBytes, int speculativeTail) {
    if (indexCacheBytes < 0 || speculativeTail < 0) {
      throw new IllegalArgumentException(
          "not a number of bytes: " + Math.min(indexCacheBytes, speculativeTail));
    }
    this.coalescing = coalescing;
    this.indexCacheBytes = indexCacheBytes;
    this.speculativeTail = speculativeTail;
  }

  /**
   * Returns the defaults: {@link Coalescing#adaptive()}, an index cache of the smaller of 32 MiB
   * and 1/32 of the heap, and no speculative tail.
   */
  public static ShardReading defaults() {
    return DEFAULTS;
  }

  /** Returns a copy with another rule that coalesces the ranges of inner chunks. */
  public ShardReading withCoalescing(Coalescing policy) {
    return new ShardReading(policy, indexCacheBytes, speculativeTail);
  }

  /**
   * Returns a copy with another size of the index cache of each opened hierarchy; 0 turns it off.
   */
  public ShardReading withIndexCacheBytes(long bytes) {
    return new ShardReading(coalescing, bytes, speculativeTail);
  }

  /**
   * Returns a copy that fetches this many bytes at a shard's end with an index at the end. A
   * smaller shard then costs one request, a larger one the additional bytes. A larger index is
   * fetched whole.
   */
  public ShardReading withSpeculativeTail(int bytes) {
    return new ShardReading(coalescing, indexCacheBytes, bytes);
  }

  /** Returns the rule that coalesces the ranges of inner chunks into requests. */
  public Coalescing coalescing() {
    return coalescing;
  }

  /** Returns the maximum size of cached indexes in bytes; 0 turns the cache off. */
  public long indexCacheBytes() {
    return indexCacheBytes;
  }

  /**
   * Returns the number of bytes at the end of a shard that are fetched with an index at the end; 0
   * for the index alone.
   */
  public int speculativeTail() {
    return speculativeTail;
  }

  private List<@Nullable Object> values() {
    return Arrays.asList(coalescing, indexCacheBytes, speculativeTail);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ShardReading that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "ShardReading" + values();
  }
}
