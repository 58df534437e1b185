package dev.zarrreactive.store;

import java.time.Duration;

/**
 * When {@link Stores#hedged} asks a second time. Immutable.
 *
 * @param share how many second requests there may be for each request, such as 0.05; what is not
 *     used is kept for up to ten of them
 * @param shortest the shortest wait before a second request
 * @param samples how many answers must be known before there is a second request
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

  /** At most one in twenty, after 10 ms at least, when twenty answers are known. */
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
