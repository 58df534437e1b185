package dev.zarrreactive.internal.statistics;

/**
 * A statistic of the values around each position, some before and some after it; NaN is left out.
 * The values are divided into parts of the window's length: each window is the end of one part and
 * the beginning of the next one, which are each calculated step by step (van Herk). So a result
 * takes few operations however long the window is, and no value is ever taken off again.
 *
 * @param earlier the positions before
 * @param later the positions after
 * @param least the fewest values that have a result; of fewer it is NaN
 */
public record RollingWindow(Kind kind, int earlier, int later, int least) implements Along {
  /** The statistic. */
  public enum Kind {
    /** The mean. */
    MEAN,

    /** The sum. */
    SUM,

    /** The least value. */
    MIN,

    /** The greatest value. */
    MAX,

    /** The standard deviation of a whole population. */
    STD,

    /** The number of values. */
    COUNT
  }

  @Override
  public long before() {
    return earlier;
  }

  @Override
  public long after() {
    return later;
  }

  @Override
  public boolean keepsFloats() {
    return kind == Kind.MIN || kind == Kind.MAX;
  }

  @Override
  public double begin() {
    return Double.NaN;
  }

  /** The statistics of some values. */
  private final class Part {
    double count;
    double sum;
    double squares;

    void clear() {
      count = 0;
      sum = 0;
      squares = 0;
    }

    void set(Part other) {
      count = other.count;
      sum = other.sum;
      squares = other.squares;
    }

    /** Adds other values; {@code sum} is the mean of a deviation, and the extreme of extremes. */
    void add(double others, double its, double itsSquares) {
      if (others == 0) {
        return;
      }
      double all = count + others;
      if (count == 0) {
        count = others;
        sum = its;
        squares = itsSquares;
        return;
      }
      switch (kind) {
        case MIN -> sum = Math.min(sum, its);
        case MAX -> sum = Math.max(sum, its);
        case STD -> {
          double apart = its - sum;
          squares += itsSquares + apart * apart * count * others / all;
          sum += apart * others / all;
        }
        default -> sum += its;
      }
      count = all;
    }

    void add(double value) {
      if (!Double.isNaN(value)) {
        add(1, value, Double.isInfinite(value) ? Double.NaN : 0);
      }
    }

    double result() {
      if (count < least) {
        return Double.NaN;
      }
      return switch (kind) {
        case MEAN -> sum / count;
        case SUM, MIN, MAX -> sum;
        case STD -> Math.sqrt(squares / count);
        case COUNT -> count;
      };
    }
  }

  @Override
  public double run(double[] column, int from, double[] results, int count, double carried) {
    int window = earlier + later + 1;
    int parts = Math.min(window, count);
    double[] counts = new double[parts];
    double[] sums = new double[parts];
    double[] squares = new double[parts];
    Part part = new Part();
    Part both = new Part();
    for (int first = 0; first < count; first += window) {
      int begin = from - earlier + first; // of the part in whose end the windows begin
      int used = Math.min(window, count - first);
      part.clear();
      for (int j = window - 1; j >= 0; j--) {
        part.add(value(column, begin + j));
        if (j < used) {
          counts[j] = part.count;
          sums[j] = part.sum;
          squares[j] = part.squares;
        }
      }
      part.clear();
      for (int j = 0; j < used; j++) {
        both.set(part);
        both.add(counts[j], sums[j], squares[j]);
        results[first + j] = both.result();
        part.add(value(column, begin + window + j));
      }
    }
    return Double.NaN;
  }

  private static double value(double[] column, int at) {
    return at < 0 || at >= column.length ? Double.NaN : column[at];
  }
}
