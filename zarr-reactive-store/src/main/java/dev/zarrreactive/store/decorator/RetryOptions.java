package dev.zarrreactive.store.decorator;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Options of the retries of {@link Stores#retrying}. Immutable. */
public final class RetryOptions {
  private static final Object ONCE = RetryOptions.class.getName() + ".ONCE";

  private static final RetryOptions DEFAULTS =
      new RetryOptions(
          Duration.ofSeconds(60), 8, Duration.ofMillis(100), Duration.ofSeconds(10), 100);

  private final Duration deadline;
  private final int attempts;
  private final Duration firstBackoff;
  private final Duration longestBackoff;
  private final int budget;

  private RetryOptions(
      Duration deadline, int attempts, Duration firstBackoff, Duration longestBackoff, int budget) {
    for (Duration each : new Duration[] {deadline, firstBackoff, longestBackoff}) {
      if (each.isNegative() || each.isZero()) {
        throw new IllegalArgumentException("a time of retries is longer than zero, not " + each);
      }
    }
    if (attempts < 1 || budget < 0) {
      throw new IllegalArgumentException(
          "attempts must be at least 1 and the budget at least 0, not "
              + attempts
              + " and "
              + budget);
    }
    this.deadline = deadline;
    this.attempts = attempts;
    this.firstBackoff = firstBackoff;
    this.longestBackoff = longestBackoff;
    this.budget = budget;
  }

  /** 60 seconds, 8 attempts, waits of 0.1 to 10 seconds, a budget of 100. */
  public static RetryOptions defaults() {
    return DEFAULTS;
  }

  /** These options with another deadline. */
  public RetryOptions withDeadline(Duration time) {
    return new RetryOptions(time, attempts, firstBackoff, longestBackoff, budget);
  }

  /** These options with another number of attempts. */
  public RetryOptions withAttempts(int most) {
    return new RetryOptions(deadline, most, firstBackoff, longestBackoff, budget);
  }

  /** These options with other waits. */
  public RetryOptions withBackoff(Duration first, Duration longest) {
    return new RetryOptions(deadline, attempts, first, longest, budget);
  }

  /** These options with another budget. */
  public RetryOptions withBudget(int attemptsInARow) {
    return new RetryOptions(deadline, attempts, firstBackoff, longestBackoff, attemptsInARow);
  }

  /** Returns how long a request may take, with all its attempts and the waits between them. */
  public Duration deadline() {
    return deadline;
  }

  /**
   * Returns how often a request is made at most. While a server refuses connections, as it does
   * during a restart, other rules hold: one request at a time probes the server, and the other
   * requests wait for it, for at most as long as the longest waits of six attempts. These are 3.1
   * seconds with the default waits. For a server that has answered before it is twice the time.
   */
  public int attempts() {
    return attempts;
  }

  /**
   * Returns the longest wait before the second attempt; each further one may be twice as long. How
   * long it is, between half of that and all of it, is left to chance.
   */
  public Duration firstBackoff() {
    return firstBackoff;
  }

  /** Returns the longest wait of all, where the server does not ask for more. */
  public Duration longestBackoff() {
    return longestBackoff;
  }

  /**
   * Returns how many retries all requests together may make in a row: ten answered requests give
   * one back. Without one left, errors are signalled at once. Requests that lose their connections
   * at one moment pay for one attempt together, and requests that wait for a probe of a server that
   * was down pay for none.
   */
  public int budget() {
    return budget;
  }

  private List<@Nullable Object> values() {
    return Arrays.asList(deadline, attempts, firstBackoff, longestBackoff, budget);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RetryOptions that && values().equals(that.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  @Override
  public String toString() {
    return "RetryOptions" + values();
  }

  /**
   * Returns a subscriber's context whose reads and writes of values are made once, without repeats:
   * for a probe that asks whether the server answers now. {@code contextWrite(RetryOptions::once)}
   * sets it.
   */
  public static Context once(Context subscriber) {
    return subscriber.put(ONCE, true);
  }

  static boolean isOnce(ContextView subscriber) {
    return subscriber.hasKey(ONCE);
  }
}
