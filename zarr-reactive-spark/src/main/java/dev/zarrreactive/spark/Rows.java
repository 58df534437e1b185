package dev.zarrreactive.spark;

/**
 * The place of each row in the values of a column. A column that lacks some of the rows' dimensions
 * is not repeated in memory: its place is computed from the row.
 */
final class Rows {
  private final int[] divisors;
  private final int[] counts;
  private final int[] strides;

  private Rows(int[] divisors, int[] counts, int[] strides) {
    this.divisors = divisors;
    this.counts = counts;
    this.strides = strides;
  }

  /**
   * Returns the places of rows in C order.
   *
   * @param extents the extents of the rows' dimensions
   * @param strides the distance of neighbours in the values, 0 for a dimension that they lack
   */
  static Rows of(int[] extents, int[] strides) {
    int used = 0;
    for (int stride : strides) {
      used += stride == 0 ? 0 : 1;
    }
    int[] divisors = new int[used];
    int[] counts = new int[used];
    int[] distances = new int[used];
    int divisor = 1;
    for (int d = extents.length - 1; d >= 0; d--) {
      if (strides[d] != 0) {
        used--;
        divisors[used] = divisor;
        counts[used] = extents[d];
        distances[used] = strides[d];
      }
      divisor *= extents[d];
    }
    return new Rows(divisors, counts, distances);
  }

  int place(int row) {
    int place = 0;
    for (int d = 0; d < divisors.length; d++) {
      place += row / divisors[d] % counts[d] * strides[d];
    }
    return place;
  }
}
