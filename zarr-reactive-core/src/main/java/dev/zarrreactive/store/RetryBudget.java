package dev.zarrreactive.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A token bucket of retries that all requests share, so that retries do not overload a server in
 * trouble. Counted in tenths: a retry takes ten, an answer adds one.
 */
final class RetryBudget {
  private static final int ATTEMPT = 10;

  private final int full;
  private final AtomicInteger tenths;

  RetryBudget(int attempts) {
    this.full = (int) Math.min(Integer.MAX_VALUE, (long) attempts * ATTEMPT);
    this.tenths = new AtomicInteger(full);
  }

  /** Takes a retry from the bucket; returns false if it is empty. */
  boolean take() {
    return tenths.getAndUpdate(left -> left < ATTEMPT ? left : left - ATTEMPT) >= ATTEMPT;
  }

  void answered() {
    tenths.updateAndGet(left -> Math.min(full, left + 1));
  }
}
