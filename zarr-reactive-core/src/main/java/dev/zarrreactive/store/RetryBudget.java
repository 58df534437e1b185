package dev.zarrreactive.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bucket of attempts that all requests share, so that retries do not drown a server that is in
 * trouble already. Counted in tenths: an attempt takes ten, an answer gives one back.
 */
final class RetryBudget {
  private static final int ATTEMPT = 10;

  private final int full;
  private final AtomicInteger tenths;

  RetryBudget(int attempts) {
    this.full = (int) Math.min(Integer.MAX_VALUE, (long) attempts * ATTEMPT);
    this.tenths = new AtomicInteger(full);
  }

  /** Takes an attempt; false where there is none. */
  boolean take() {
    return tenths.getAndUpdate(left -> left < ATTEMPT ? left : left - ATTEMPT) >= ATTEMPT;
  }

  void answered() {
    tenths.updateAndGet(left -> Math.min(full, left + 1));
  }
}
