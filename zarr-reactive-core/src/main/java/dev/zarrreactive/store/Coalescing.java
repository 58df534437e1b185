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
 */
public record Coalescing(long maxGap, int maxSize, double maxOverRead) {
  private static final Coalescing DEFAULTS = new Coalescing(1 << 20, 16 << 20, 0.75);

  /** A policy; the numbers may not be negative, nor the last above 1. */
  public Coalescing {
    if (maxGap < 0 || maxSize < 0 || !(maxOverRead >= 0 && maxOverRead <= 1)) {
      throw new IllegalArgumentException(
          "not a coalescing: gap " + maxGap + ", size " + maxSize + ", over-read " + maxOverRead);
    }
  }

  /** Gaps of 1 MiB, requests of 16 MiB, three bytes that nobody wants for each that is wanted. */
  public static Coalescing defaults() {
    return DEFAULTS;
  }

  /** Every range is a request of its own. */
  public static Coalescing none() {
    return new Coalescing(0, 0, 0);
  }
}
