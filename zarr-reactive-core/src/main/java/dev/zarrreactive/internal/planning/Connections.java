package dev.zarrreactive.internal.planning;

/**
 * How many requests for ranges of one value can be under way together.
 *
 * @param count at least 1
 * @param shared whether ranges of other values, whose requests have as many, are read beside them
 */
public record Connections(int count, boolean shared) {
  /** All of so many. */
  public static Connections all(int count) {
    return new Connections(count, false);
  }

  /** Those of one value, of {@code values} that are read together. */
  public static Connections sharedBy(long values, int count) {
    return values <= 1 ? all(count) : new Connections((int) Math.max(1, count / values), true);
  }

  /**
   * How many turns so many requests take. One that is not full is a whole one, and counts for half
   * of what it lacks: other reads may fill it.
   */
  double turns(int requests) {
    return (filledTurns(requests) + Math.ceil(filledTurns(requests))) / 2;
  }

  /** How many they take where requests for other values fill the last one. */
  double filledTurns(int requests) {
    return (double) requests / count;
  }
}
