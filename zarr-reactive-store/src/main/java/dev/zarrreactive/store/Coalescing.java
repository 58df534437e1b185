package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/**
 * The policy by which several ranges of one value are fetched by one request, with the gaps between
 * them.
 *
 * <p>A request to a distant store costs its latency. The bytes that a connection carries in that
 * time, latency × bandwidth, are as cheap as another request, even if they lie in a gap. At 50 ms
 * and 20 MB/s that is 1 MB.
 *
 * @param maxGap the most bytes between two ranges
 * @param maxSize the most bytes of a merged request; a single range may be larger
 * @param maxOverRead the largest fraction of a merged request that lies in gaps, from 0 to 1; where
 *     measurements decide, nine tenths for requests of at most 16 KiB, which cost more than their
 *     bytes
 * @param isAdaptive true if measured latency and bandwidth decide within these three bounds; false
 *     if the bounds decide alone
 * @param price what the requests shall cost least by, where that is not time alone
 */
public record Coalescing(
    long maxGap, int maxSize, double maxOverRead, boolean isAdaptive, @Nullable Price price) {
  private static final Coalescing ADAPTIVE =
      new Coalescing(16 << 20, 16 << 20, 2.0 / 3, true, null);
  private static final Coalescing FASTEST = new Coalescing(16 << 20, 16 << 20, 0.9, true, null);

  /** A policy; the numbers may not be negative, nor the last above 1. */
  public Coalescing {
    if (maxGap < 0 || maxSize < 0 || !(maxOverRead >= 0 && maxOverRead <= 1)) {
      throw new IllegalArgumentException(
          "not a coalescing: gap " + maxGap + ", size " + maxSize + ", over-read " + maxOverRead);
    }
  }

  /** A fixed policy, independent of the store's latency. */
  public Coalescing(long maxGap, int maxSize, double maxOverRead) {
    this(maxGap, maxSize, maxOverRead, false, null);
  }

  /**
   * An adaptive policy, which chooses the requests that take the least time by the measured latency
   * and bandwidth of a connection, and among equals the fewest. A few ranges are fetched
   * concurrently, one by one, which is fastest; more ranges than connections are merged. Gaps and
   * requests have at most 16 MiB, and at most two thirds of a request lie in gaps: a read fetches
   * up to three times the bytes that it wants, which fits links and stores that are paid by bytes.
   */
  public static Coalescing adaptive() {
    return ADAPTIVE;
  }

  /**
   * Like {@link #adaptive()}, but at most nine tenths of a request lie in gaps: the least time, for
   * up to ten times the bytes.
   */
  public static Coalescing fastest() {
    return FASTEST;
  }

  /**
   * Like {@link #adaptive()}, but the requests are chosen that cost least, their time included; a
   * shard is fetched whole where that costs less than its index and a part. Gaps and requests have
   * at most 16 MiB.
   */
  public static Coalescing cheapest(Price price) {
    return new Coalescing(16 << 20, 16 << 20, 1, true, price);
  }

  /** Every range is a request of its own. */
  public static Coalescing none() {
    return new Coalescing(0, 0, 0);
  }
}
