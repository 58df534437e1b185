package dev.zarrreactive.store.decorator;

import java.time.Duration;

/**
 * Options of the second requests of {@link Stores#hedged}. Immutable.
 *
 * @param share the second requests per request, such as 0.05; up to ten unused ones are saved
 * @param shortest the shortest wait before a second request
 * @param samples the number of answers that must be measured before the first second request
 */
public record HedgeOptions(double share, Duration shortest, int samples) {
  private static final HedgeOptions DEFAULTS = new HedgeOptions(0.05, Duration.ofMillis(10), 20);

  /** Options; the share is above 0 and at most 1, or it is an {@link IllegalArgumentException}. */
  public HedgeOptions {
    if (!(share > 0 && share <= 1) || shortest.isNegative() || samples < 1) {
      throw new IllegalArgumentException(
          "a share of " + share + " after " + shortest + " and " + samples + " answers");
    }
  }

  /**
   * The defaults: one second request for twenty requests, after at least 10 ms and twenty answers.
   */
  public static HedgeOptions defaults() {
    return DEFAULTS;
  }

  /** These options with another share. */
  public HedgeOptions withShare(double most) {
    return new HedgeOptions(most, shortest, samples);
  }

  /** These options with another shortest wait. */
  public HedgeOptions withShortest(Duration wait) {
    return new HedgeOptions(share, wait, samples);
  }
}
