package dev.zarrreactive.internal.statistics;

/**
 * The numbers that are kept of each cell beside its count.
 *
 * @param sums of values
 * @param squares of the distances from the mean, which need sums
 * @param extremes the least and the greatest value
 */
public record Accumulated(boolean sums, boolean squares, boolean extremes) {
  private static final int COUNT_BYTES = 8;
  private static final int SUM_BYTES = 16;
  private static final int SQUARE_BYTES = 8;
  private static final int EXTREME_BYTES = 16;

  /** Returns the bytes that a cell takes. */
  public int bytesOfCell() {
    return COUNT_BYTES
        + (sums ? SUM_BYTES : 0)
        + (squares ? SQUARE_BYTES : 0)
        + (extremes ? EXTREME_BYTES : 0);
  }
}
