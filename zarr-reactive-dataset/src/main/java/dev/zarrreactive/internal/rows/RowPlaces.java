package dev.zarrreactive.internal.rows;

/**
 * The place of each row in the values of a column. A column that lacks some of the rows' dimensions
 * is not repeated in memory: its place is computed from the row, once for a run of rows whose
 * places are at one distance of each other. Not thread-safe.
 */
public final class RowPlaces {
  private final long[] divisors;
  private final int[] counts;
  private final int[] strides;
  private final long run;
  private final int step;
  private long first;
  private int place;

  private RowPlaces(long[] divisors, int[] counts, int[] strides, long run, int step) {
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
  public static RowPlaces of(int[] extents, int[] strides) {
    long[] divisors = new long[extents.length];
    long divisor = 1;
    for (int d = extents.length - 1; d >= 0; d--) {
      divisors[d] = divisor;
      divisor *= extents[d];
    }
    long run = 1;
    int step = extents.length == 0 ? 0 : strides[extents.length - 1];
    for (int d = extents.length - 1; d >= 0 && strides[d] == step * run; d--) {
      run *= Math.max(1, extents[d]);
    }
    return new RowPlaces(divisors, extents.clone(), strides.clone(), run, step);
  }

  /**
   * Returns the distances of neighbours in the values of a column in C order.
   *
   * @param dimensions for each dimension of the column its number among those of the rows
   */
  public static int[] strides(int[] extents, int[] dimensions) {
    int[] strides = new int[extents.length];
    int stride = 1;
    for (int axis = dimensions.length - 1; axis >= 0; axis--) {
      strides[dimensions[axis]] = stride;
      stride *= extents[dimensions[axis]];
    }
    return strides;
  }

  /** Returns true if each row has the place of its own number. */
  public boolean isEachRow() {
    return step == 1 && (divisors.length == 0 || run == divisors[0] * Math.max(1, counts[0]));
  }

  /** Returns the place of a row. */
  public int place(long row) {
    long into = row - first;
    if (into < 0 || into >= run) {
      into = row % run;
      first = row - into;
      place = 0;
      for (int d = 0; d < divisors.length; d++) {
        place += (int) (first / divisors[d] % counts[d]) * strides[d];
      }
    }
    return place + (int) into * step;
  }
}
