package dev.zarrreactive.store;

/**
 * When ranges of one value are fetched by one request, with the bytes between them.
 *
 * <p>A request to a store far away costs its latency; what a connection carries meanwhile, latency
 * × bandwidth, may as well be bytes that nobody wants. At 50 ms and 20 MB/s that is 1 MB.
 *
 * @param maxGap the most bytes between two ranges
 * @param maxSize the most bytes of a merged request; a single range may be larger
 * @param maxOverRead the most of a merged request that nobody wants, from 0 to 1
 * @param isAdaptive whether the three are bounds, within which measured latency and bandwidth
 *     decide; else they are the rule
 */
public record Coalescing(long maxGap, int maxSize, double maxOverRead, boolean isAdaptive) {
  private static final Coalescing ADAPTIVE = new Coalescing(16 << 20, 16 << 20, 0.9, true);

  /** A policy; the numbers may not be negative, nor the last above 1. */
  public Coalescing {
    if (maxGap < 0 || maxSize < 0 || !(maxOverRead >= 0 && maxOverRead <= 1)) {
      throw new IllegalArgumentException(
          "not a coalescing: gap " + maxGap + ", size " + maxSize + ", over-read " + maxOverRead);
    }
  }

  /** A policy that is the same whatever the store's latency. */
  public Coalescing(long maxGap, int maxSize, double maxOverRead) {
    this(maxGap, maxSize, maxOverRead, false);
  }

  /**
   * What takes the least time by the latency and the bandwidth of a connection that were measured;
   * of what takes as little, the fewest requests. Few ranges are fetched side by side, each by
   * itself, for that is fastest; more than there are connections are merged. Gaps and requests of
   * 16 MiB at most, and at most nine bytes that nobody wants for each that is wanted.
   */
  public static Coalescing adaptive() {
    return ADAPTIVE;
  }

  /** Every range is a request of its own. */
  public static Coalescing none() {
    return new Coalescing(0, 0, 0);
  }
}
