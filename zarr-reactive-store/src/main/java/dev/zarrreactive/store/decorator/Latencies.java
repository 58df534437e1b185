package dev.zarrreactive.store.decorator;

import java.util.Arrays;

/**
 * The latencies of the last requests, and the budget of second requests. Thread-safe; the lock is
 * held for a few steps in memory.
 */
final class Latencies {
  private static final int KEPT = 256;
  private static final double PERCENTILE = 0.95;
  private static final double MOST_SAVED = 10;

  /** The answers after a failure until second requests are allowed again. */
  private static final int RECOVERY = 20;

  private static final long LEAST_LOOK = 1_000_000;

  private final HedgeOptions options;
  private final long[] nanos = new long[KEPT];
  private int known;
  private int next;
  private int answersSinceFailure = RECOVERY;
  private double saved;

  Latencies(HedgeOptions options) {
    this.options = options;
  }

  /** Records the begin of a request, which adds to the budget. */
  synchronized void begin() {
    saved = Math.min(MOST_SAVED, saved + options.share());
  }

  /**
   * Returns the nanoseconds until the next check of a request that has taken {@code waited} so far.
   */
  synchronized long untilNextLook(long waited) {
    long shortest = Math.max(LEAST_LOOK, options.shortest().toNanos());
    long late = late();
    if (late < 0) {
      return Math.max(shortest, waited);
    }
    return waited < late ? late - waited : Math.max(shortest, Math.max(late / 2, waited / 4));
  }

  /**
   * Takes a second request from the budget if a request has waited long enough; returns true if so.
   */
  synchronized boolean takeSecond(long waited) {
    long late = late();
    if (late < 0 || waited < late || answersSinceFailure < RECOVERY || saved < 1) {
      return false;
    }
    saved--;
    return true;
  }

  /** Returns the nanoseconds after which a request is late; -1 while unknown. */
  private long late() {
    if (known < options.samples()) {
      return -1;
    }
    long[] sorted = Arrays.copyOf(nanos, known);
    Arrays.sort(sorted);
    long most = sorted[Math.min(known - 1, (int) (known * PERCENTILE))];
    long usual = sorted[known / 2];
    return Math.max(options.shortest().toNanos(), Math.max(most, 2 * usual));
  }

  /** Records the latency of an answer. */
  synchronized void answered(long took) {
    nanos[next] = took;
    next = (next + 1) % KEPT;
    known = Math.min(KEPT, known + 1);
    answersSinceFailure = Math.min(RECOVERY, answersSinceFailure + 1);
  }

  /** Records a failure: a server in trouble gets no second requests for a while. */
  synchronized void failed() {
    answersSinceFailure = 0;
  }
}
