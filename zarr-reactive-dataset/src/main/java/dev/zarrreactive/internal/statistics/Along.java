package dev.zarrreactive.internal.statistics;

/** What is calculated of each column of values, one result for each of its positions. */
public sealed interface Along permits RollingWindow, Accumulation {
  /** The positions before one that its result needs; all for a long that is the greatest. */
  long before();

  /** The positions after one that its result needs. */
  long after();

  /** Returns true if results have the type of floats that the values have. */
  boolean keepsFloats();

  /** Returns what is carried to the first position. */
  double begin();

  /**
   * Calculates results of a part of a column.
   *
   * @param column the values, first those before the part
   * @param from the place of the first value of the part
   * @param results the place of the results, and their number from 0 on
   * @param count the number of results
   * @param carried what the call for the part before has returned, or {@link #begin}
   * @return what is carried to the next part
   */
  double run(double[] column, int from, double[] results, int count, double carried);
}
