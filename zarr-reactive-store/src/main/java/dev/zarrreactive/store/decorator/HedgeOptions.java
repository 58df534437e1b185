package dev.zarrreactive.store.decorator;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of the second requests of {@link Stores#hedged}. Immutable. */
public final class HedgeOptions {
  private static final HedgeOptions DEFAULTS = new HedgeOptions(0.05, Duration.ofMillis(10), 20);

  private final double share;
  private final Duration shortest;
  private final int samples;

  private HedgeOptions(double share, Duration shortest, int samples) {
    if (!(share > 0 && share <= 1) || shortest.isNegative() || samples < 1) {
      throw new IllegalArgumentException(
          "the share must be above 0 and at most 1, the wait at least zero and the answers at least"
              + " 1, not "
              + share
              + ", "
              + shortest
              + " and "
              + samples);
    }
    this.share = share;
    this.shortest = shortest;
    this.samples = samples;
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

  /** Returns the second requests per request, such as 0.05; up to ten unused ones are saved. */
  public double share() {
    return share;
  }

  /** Returns the shortest wait before a second request. */
  public Duration shortest() {
    return shortest;
  }

  /** Returns the number of answers that must be measured before the first second request. */
  public int samples() {
    return samples;
  }

  /** These options with another number of measured answers before the first second request. */
  public HedgeOptions withSamples(int answers) {
    return new HedgeOptions(share, shortest, answers);
  }

  private List<@Nullable Object> values() {
    return Arrays.asList(share, shortest, samples);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HedgeOptions that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "HedgeOptions" + values();
  }
}
