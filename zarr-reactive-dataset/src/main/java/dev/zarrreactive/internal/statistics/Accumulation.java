package dev.zarrreactive.internal.statistics;

/** What is accumulated of all values of a column up to a position; NaN is left out. */
public enum Accumulation implements Along {
  /** The sum; 0 before the first value. */
  SUM,

  /** The product; 1 before the first value. */
  PRODUCT,

  /** The least value; NaN before the first one. */
  MIN,

  /** The greatest value; NaN before the first one. */
  MAX;

  @Override
  public long before() {
    return Long.MAX_VALUE;
  }

  @Override
  public long after() {
    return 0;
  }

  @Override
  public boolean keepsFloats() {
    return this == MIN || this == MAX;
  }

  @Override
  public double begin() {
    return this == SUM ? 0 : this == PRODUCT ? 1 : Double.NaN;
  }

  @Override
  public double run(double[] column, int from, double[] results, int count, double carried) {
    double all = carried;
    for (int i = 0; i < count; i++) {
      double value = column[from + i];
      if (!Double.isNaN(value)) {
        all =
            switch (this) {
              case SUM -> all + value;
              case PRODUCT -> all * value;
              case MIN -> value < all || Double.isNaN(all) ? value : all;
              case MAX -> value > all || Double.isNaN(all) ? value : all;
            };
      }
      results[i] = all;
    }
    return all;
  }
}
