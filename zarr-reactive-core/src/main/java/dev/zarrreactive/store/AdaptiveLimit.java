package dev.zarrreactive.store;

/**
 * How many requests a server takes at a time, found by trying. After a refusal the limit falls to
 * three quarters, comes back half the way at a time, and stays a while below where the refusal was;
 * then it tries one more, two, four. Where half as many requests again take more than a quarter
 * longer, the line is full, and the limit goes back to where it was not.
 *
 * <p>A change is judged only by requests that began after it, and growth only by requests that
 * found the limit in full use: nothing is learnt from what nobody wanted.
 */
final class AdaptiveLimit {
  static final int START = 4;
  static final int LEAST_PATIENCE = 4;
  static final int MOST_PATIENCE = 64;

  private static final int NONE = Integer.MAX_VALUE;

  private final int most;
  private int limit;

  /** The largest limit that is thought to be good; {@link #NONE} where none is known. */
  private int ceiling = NONE;

  /** By how much the limit grows beyond the ceiling. */
  private int step = 1;

  /** How many rounds the limit stays at the ceiling, and how many it has. */
  private int patience = LEAST_PATIENCE;

  private int stayed;

  /** The number of the last change, and of the last that made the limit smaller. */
  private int change;

  private int fall;

  /** The requests of this round: as many as the limit, all begun after the last change. */
  private int ended;

  private double nanos;

  /** A limit and how long its requests took; 0 where nothing is known. */
  private int referenceLimit;

  private double referenceNanos;

  AdaptiveLimit(int most) {
    this.most = most;
    this.limit = Math.min(START, most);
  }

  synchronized int current() {
    return limit;
  }

  /** What a request that begins now is to know of when it began. */
  synchronized int change() {
    return change;
  }

  /**
   * A request was answered.
   *
   * @param begun what {@link #change()} was when it began
   * @param inFullUse whether as many were under way as may be
   * @return by how much the limit changed
   */
  synchronized int answered(int begun, boolean inFullUse, long tookNanos) {
    if (begun != change || !inFullUse) {
      return 0;
    }
    nanos += tookNanos;
    ended++;
    return ended < limit ? 0 : endRound(nanos / ended);
  }

  /**
   * A request was refused.
   *
   * @param begun what {@link #change()} was when it began
   * @return by how much the limit changed
   */
  synchronized int refused(int begun) {
    if (begun < fall) {
      return 0; // the limit has fallen since
    }
    boolean tried = limit > ceiling;
    patience = tried ? Math.min(2 * patience, MOST_PATIENCE) : LEAST_PATIENCE;
    ceiling = Math.max(1, limit - 1);
    referenceLimit = 0;
    int changed = changeTo(limit * 3 / 4);
    fall = change;
    return changed;
  }

  /**
   * Nothing was asked for a while: what is known of the server is old.
   *
   * @return by how much the limit changed
   */
  synchronized int forget() {
    ceiling = NONE;
    patience = LEAST_PATIENCE;
    referenceLimit = 0;
    return changeTo(Math.max(limit, START));
  }

  private int endRound(double meanNanos) {
    ended = 0;
    nanos = 0;
    if (referenceLimit > 0 && 2L * limit >= 3L * referenceLimit) {
      if (lineIsFull(meanNanos)) {
        ceiling = referenceLimit;
        referenceLimit = 0;
        patience = Math.min(2 * patience, MOST_PATIENCE);
        return changeTo(ceiling);
      }
      ceiling = limit <= ceiling ? ceiling : NONE;
      patience = ceiling == NONE ? LEAST_PATIENCE : patience;
      refer(meanNanos);
    } else if (referenceLimit == 0 || limit == referenceLimit) {
      refer(meanNanos);
    }
    return grow();
  }

  private int grow() {
    if (limit < ceiling && ceiling != NONE) {
      return changeTo(limit + (ceiling - limit + 1) / 2);
    }
    if (limit == ceiling && ++stayed < patience) {
      return 0;
    }
    int next = limit + step;
    int nextStep = Math.min(2 * step, most);
    int changed = changeTo(next);
    step = nextStep;
    return changed;
  }

  /** At most half of what the limit grew by came back as more answers in the same time. */
  private boolean lineIsFull(double meanNanos) {
    double more = (double) limit / referenceLimit - 1;
    return meanNanos >= referenceNanos * (1 + more / 2);
  }

  private void refer(double meanNanos) {
    referenceLimit = limit;
    referenceNanos = meanNanos;
  }

  private int changeTo(int wanted) {
    int next = Math.max(1, Math.min(wanted, most));
    int changed = next - limit;
    limit = next;
    change++;
    step = 1;
    stayed = 0;
    ended = 0;
    nanos = 0;
    return changed;
  }
}
