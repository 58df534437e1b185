package dev.zarrreactive.internal.credential;

import dev.zarrreactive.internal.threads.Environment;

/**
 * The waits after failures in a row, each twice the last one, up to half a minute. Not thread-safe.
 */
final class BackOff {
  private static final long FIRST = 250;
  private static final long MOST = 30_000;

  private int failures;
  private long until = Long.MIN_VALUE;

  /**
   * Begins the wait after another failure, with a jitter of a quarter.
   *
   * @param wanted the milliseconds that the service asks for; 0 for none
   */
  void failed(long now, long wanted) {
    long wait = Math.min(MOST, FIRST << Math.min(failures, 16));
    failures++;
    until =
        now + Math.max(Math.min(wanted, MOST), wait - Environment.current().random(0, wait / 4));
  }

  void reset() {
    failures = 0;
    until = Long.MIN_VALUE;
  }

  /** Returns the rest of the wait in milliseconds; 0 where there is none. */
  long rest(long now) {
    return now >= until ? 0 : until - now;
  }
}
