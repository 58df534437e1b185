package dev.zarrreactive.internal.link;

/**
 * The number of requests for ranges of one value that can be in flight together.
 *
 * @param count at least 1
 * @param shared whether ranges of other values, whose requests have as many, are read beside them
 */
public record Connections(int count, boolean shared) {
  /** Returns {@code count} connections for one value alone. */
  public static Connections all(int count) {
    return new Connections(count, false);
  }

  /** Returns the share of one of {@code values} values that are read together. */
  public static Connections sharedBy(long values, int count) {
    return values <= 1 ? all(count) : new Connections((int) Math.max(1, count / values), true);
  }

  /**
   * Returns the number of turns for {@code requests} requests. A turn that is not full is a whole
   * one, and counts for half of its empty places: other reads may fill them.
   */
  double turns(int requests) {
    return (filledTurns(requests) + Math.ceil(filledTurns(requests))) / 2;
  }

  /** Returns the number of turns if requests for other values fill the last one. */
  double filledTurns(int requests) {
    return (double) requests / count;
  }
}
