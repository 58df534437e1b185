package dev.zarrreactive.dataset;

import dev.zarrreactive.internal.statistics.Accumulated;
import java.util.Set;

/** A number that a {@link Reduction} makes of many values. */
public enum Statistic {
  /** The number of values that are not missing: {@code int64}. */
  COUNT,

  /** The sum: {@code int64} of integers and booleans, else {@code float64}. Of nothing it is 0. */
  SUM,

  /** The mean: {@code float64}. */
  MEAN,

  /** The least value, of the type of the values; of integers in periods {@code float64}. */
  MIN,

  /** The greatest value, with the types of {@link #MIN}. */
  MAX,

  /** The variance of a whole population, as NumPy has it by default: {@code float64}. */
  VARIANCE,

  /** The square root of {@link #VARIANCE}. */
  STD;

  /** Returns what must be kept of each cell for these statistics. */
  static Accumulated accumulated(Set<Statistic> wanted) {
    return new Accumulated(
        wanted.stream().anyMatch(Statistic::needsSums),
        wanted.stream().anyMatch(Statistic::needsSquares),
        wanted.stream().anyMatch(Statistic::needsExtremes));
  }

  private boolean needsSums() {
    return this == SUM || this == MEAN || needsSquares();
  }

  private boolean needsSquares() {
    return this == VARIANCE || this == STD;
  }

  private boolean needsExtremes() {
    return this == MIN || this == MAX;
  }
}
