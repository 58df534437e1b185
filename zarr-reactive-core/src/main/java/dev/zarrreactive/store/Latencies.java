package dev.zarrreactive.store;

import java.util.Arrays;

/**
 * How long the last requests took, and whether another one may be made beside one that is late.
 * Thread-safe; the lock is held for a few steps in memory.
 */
final class Latencies {
  private static final int KEPT = 256;
  private static final double PERCENTILE = 0.95;
  private static final double MOST_SAVED = 10;

  /** How many answers must come after a failure before the server is trusted again. */
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

  /** A request begins; it adds to what is saved. */
  synchronized void begin() {
    saved = Math.min(MOST_SAVED, saved + options.share());
  }

  /** In how many nanoseconds to look again at a request that has taken {@code waited} so far. */
  synchronized long untilNextLook(long waited) {
    long shortest = Math.max(LEAST_LOOK, options.shortest().toNanos());
    long late = late();
    if (late < 0) {
      return Math.max(shortest, waited);
    }
    return waited < late ? late - waited : Math.max(shortest, Math.max(late / 2, waited / 4));
  }

  /** True where a request has waited so long that a second one may be made; it is then counted. */
  synchronized boolean takeSecond(long waited) {
    long late = late();
    if (late < 0 || waited < late || answersSinceFailure < RECOVERY || saved < 1) {
      return false;
    }
    saved--;
    return true;
  }

  /** After how many nanoseconds a request is late; -1 where nobody can tell. */
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

  /** A request was answered after so long. */
  synchronized void answered(long took) {
    nanos[next] = took;
    next = (next + 1) % KEPT;
    known = Math.min(KEPT, known + 1);
    answersSinceFailure = Math.min(RECOVERY, answersSinceFailure + 1);
  }

  /** A request failed: a server in trouble is not asked twice. */
  synchronized void failed() {
    answersSinceFailure = 0;
  }
}
