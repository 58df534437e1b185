package dev.zarrreactive.store;

/**
 * How many requests a server takes at a time, found by trying. At first the limit is twice as many
 * as were ever answered together and in time, so that it doubles in the time of a request. A
 * refusal then shows how many are too many, and the limit falls to just below that; after any other
 * refusal it falls to three quarters, and comes back half the way at a time. It stays a while below
 * where the refusal was; then it tries one more, two, four. Where half as many requests again take
 * more than a quarter longer, the line is full, and the limit goes back to where it was not.
 *
 * <p>A change is judged only by requests that began after it, and growth only by requests that
 * found the limit in full use: nothing is learnt from what nobody wanted.
 */
final class AdaptiveLimit {
  /**
   * A server without limits gives 256 answers in four times that of one, as with a limit of 64; one
   * that takes 16 refuses 8.
   */
  static final int START = 24;

  static final int LEAST_PATIENCE = 4;
  static final int MOST_PATIENCE = 64;

  private static final int NONE = Integer.MAX_VALUE;

  /** How much longer than the fastest answer is not late. */
  private static final double IN_TIME = 1.25;

  private final int most;
  private int limit;

  /** Whether nothing was in the way of growing yet. */
  private boolean starting = true;

  /** Since the start: the shortest time of an answer, and the most that were answered in time. */
  private long fastest = Long.MAX_VALUE;

  private int together;

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
   * @param underWay how many were under way when it began, with itself
   * @param inFullUse whether as many were under way as may be
   * @return by how much the limit changed
   */
  synchronized int answered(int begun, int underWay, boolean inFullUse, long tookNanos) {
    if (begun != change || !inFullUse) {
      return 0;
    }
    nanos += tookNanos;
    ended++;
    int grown = starting ? start(underWay, tookNanos) : 0;
    return ended < limit ? grown : grown + endRound(nanos / ended);
  }

  /** No change in the sense of {@link #change}: what is under way is to count. */
  private int start(int underWay, long tookNanos) {
    fastest = Math.min(fastest, tookNanos);
    if (tookNanos <= IN_TIME * fastest) {
      together = Math.max(together, underWay);
    }
    int grown = together < START ? 0 : Math.max(0, Math.min(2 * together, most) - limit);
    if (grown > 0) {
      limit += grown;
      ended = 0;
      nanos = 0;
    }
    return grown;
  }

  /**
   * A request was refused.
   *
   * @param begun what {@link #change()} was when it began
   * @param underWay how many were under way when it began, with itself
   * @return by how much the limit changed
   */
  synchronized int refused(int begun, int underWay) {
    if (begun < fall) {
      return 0; // the limit has fallen since
    }
    boolean tried = limit > ceiling;
    patience = tried ? Math.min(2 * patience, MOST_PATIENCE) : LEAST_PATIENCE;
    int next = limit * 3 / 4;
    if (tried) {
      next = ceiling;
    } else if (starting) {
      next = Math.max(limit / 4, Math.min(underWay, limit) - 1);
    }
    ceiling = Math.max(1, tried || starting ? next : limit - 1);
    starting = false;
    referenceLimit = 0;
    int changed = changeTo(next);
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
    starting = true;
    fastest = Long.MAX_VALUE;
    together = 0;
    return changeTo(Math.max(limit, START));
  }

  private int endRound(double meanNanos) {
    ended = 0;
    nanos = 0;
    if (starting && together >= START) {
      referenceLimit = together;
      referenceNanos = fastest;
    }
    starting = false;
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
