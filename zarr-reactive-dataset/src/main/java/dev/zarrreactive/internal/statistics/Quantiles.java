package dev.zarrreactive.internal.statistics;

import java.util.Arrays;

/**
 * Exact quantiles of some values, between which it interpolates linearly as NumPy does by default.
 * Values are partitioned around those of the wanted ranks, and not sorted further. Used by one
 * thread.
 */
public final class Quantiles {
  private static final int FEW = 24;

  private final double[] wanted;
  private final boolean isMedian;
  private final int[] order;

  private Quantiles(boolean isMedian, double... wanted) {
    this.isMedian = isMedian;
    this.wanted = wanted;
    this.order = ascending(wanted);
  }

  private static int[] ascending(double... wanted) {
    return java.util.stream.IntStream.range(0, wanted.length)
        .boxed()
        .sorted((a, b) -> Double.compare(wanted[a], wanted[b]))
        .mapToInt(i -> i)
        .toArray();
  }

  /** Returns quantiles, each from 0 to 1. */
  public static Quantiles of(double... wanted) {
    return new Quantiles(false, wanted.clone());
  }

  /** Returns the median, which is the mean of two values where they are an even number. */
  public static Quantiles median() {
    return new Quantiles(true, 0.5);
  }

  /** The number of quantiles. */
  public int count() {
    return wanted.length;
  }

  /**
   * Finds the quantiles of values, whose order changes. Of no value all quantiles are NaN.
   *
   * @param keepsMissing whether all quantiles are NaN if a value is
   * @param results the place of the quantiles
   * @param first the place of the first one
   * @param stride the distance between their places
   */
  public void find(
      double[] values, int count, boolean keepsMissing, double[] results, int first, int stride) {
    int there = Columns.compact(values, count);
    boolean isMissing = there == 0 || (keepsMissing && there < count);
    int from = 0;
    for (int which : order) {
      double result = Double.NaN;
      if (!isMissing) {
        int low = (int) rank(which, there);
        select(values, from, there - 1, low);
        from = low;
        result = values[low];
        if (isBetween(which, there)) {
          double above = values[low + 1];
          for (int i = low + 2; i < there; i++) {
            above = Math.min(above, values[i]);
          }
          result = between(which, there, result, above);
        }
      }
      results[first + which * stride] = result;
    }
  }

  /** Returns the rank of the value of a quantile, or of the one below it. */
  long rank(int which, long count) {
    return (long) (wanted[which] * (count - 1));
  }

  /** Returns true if a quantile is between two values. */
  boolean isBetween(int which, long count) {
    return wanted[which] * (count - 1) > rank(which, count);
  }

  /** Returns a quantile between the value of its rank and that of the next one. */
  double between(int which, long count, double below, double above) {
    if (above == below) {
      return below;
    } else if (isMedian) {
      return (below + above) / 2;
    }
    double part = wanted[which] * (count - 1) - rank(which, count);
    double apart = above - below;
    return part < 0.5 ? below + apart * part : above - apart * (1 - part);
  }

  /** Puts the value of a rank to its place, lesser ones before and greater ones behind it. */
  private static void select(double[] values, int from, int to, int rank) {
    int low = from;
    int high = to;
    int turns = 2 * (Integer.SIZE - Integer.numberOfLeadingZeros(to - from + 1));
    while (high - low > FEW && turns-- > 0) { // values that defy the pivots are sorted
      double pivot = pivot(values, low, high);
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double other = values[i];
          values[i++] = values[j];
          values[j--] = other;
        }
      }
      if (rank <= j) {
        high = j;
      } else if (rank >= i) {
        low = i;
      } else {
        return;
      }
    }
    Arrays.sort(values, low, high + 1);
  }

  /** Returns a value near the middle: the median of nine that are spread over the range. */
  private static double pivot(double[] values, int low, int high) {
    int step = (high - low) / 8;
    int middle = low + (high - low) / 2;
    return median(
        median(values[low], values[low + step], values[low + 2 * step]),
        median(values[middle - step], values[middle], values[middle + step]),
        median(values[high - 2 * step], values[high - step], values[high]));
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
