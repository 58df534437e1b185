package dev.zarrreactive.spark;

/**
 * The place of each row in the values of a column. A column that lacks some of the rows' dimensions
 * is not repeated in memory: its place is computed from the row, once for a run of rows whose
 * places are at one distance of each other. Not thread-safe.
 */
final class Rows {
  private final int[] divisors;
  private final int[] counts;
  private final int[] strides;
  private final int run;
  private final int step;
  private int first;
  private int place;

  private Rows(int[] divisors, int[] counts, int[] strides, int run, int step) {
    this.divisors = divisors;
    this.counts = counts;
    this.strides = strides;
    this.run = run;
    this.step = step;
    this.first = -run;
  }

  /**
   * Returns the places of rows in C order.
   *
   * @param extents the extents of the rows' dimensions
   * @param strides the distance of neighbours in the values, 0 for a dimension that they lack
   */
  static Rows of(int[] extents, int[] strides) {
    int[] divisors = new int[extents.length];
    int divisor = 1;
    for (int d = extents.length - 1; d >= 0; d--) {
      divisors[d] = divisor;
      divisor *= extents[d];
    }
    int run = 1;
    int step = extents.length == 0 ? 0 : strides[extents.length - 1];
    for (int d = extents.length - 1; d >= 0 && strides[d] == step * run; d--) {
      run *= Math.max(1, extents[d]);
    }
    return new Rows(divisors, extents.clone(), strides.clone(), run, step);
  }

  int place(int row) {
    int into = row - first;
    if (into < 0 || into >= run) {
      into = row % run;
      first = row - into;
      place = 0;
      for (int d = 0; d < divisors.length; d++) {
        place += first / divisors[d] % counts[d] * strides[d];
      }
    }
    return place + into * step;
  }
}
