package dev.zarrreactive.internal.statistics;

import java.util.Arrays;

/**
 * Counts of the values between edges that ascend, as NumPy's {@code histogram}: a bin has its lower
 * edge, and the last one its upper edge, too. Values outside and NaN are left out.
 */
public final class Histogram {
  private final double[] edges;
  private final long[] counts;

  /** Creates the histogram of no values. */
  public Histogram(double... edges) {
    this.edges = edges.clone();
    this.counts = new long[Math.max(0, edges.length - 1)];
    for (int i = 0; i < edges.length; i++) {
      this.edges[i] += 0.0; // -0.0 is 0.0
    }
  }

  /** Counts a value a number of times. */
  public void add(double value, long times) {
    if (counts.length > 0 && value >= edges[0] && value <= edges[counts.length]) {
      counts[bin(value + 0.0)] += times;
    }
  }

  private int bin(double value) {
    if (edges[0] == edges[counts.length]) {
      return 0;
    }
    int found = Arrays.binarySearch(edges, value);
    int bin = found < 0 ? -found - 2 : found;
    while (bin < counts.length && edges[bin + 1] <= value) {
      bin++; // edges that are too near to each other are the same number
    }
    return Math.min(bin, counts.length - 1);
  }

  /** Adds the counts of another histogram with the same edges. */
  public Histogram add(Histogram other) {
    Arrays.setAll(counts, bin -> counts[bin] + other.counts[bin]);
    return this;
  }

  /** Returns the number of values in each bin. */
  public long[] counts() {
    return counts.clone();
  }
}
