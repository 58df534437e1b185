package dev.zarrreactive.store.decorator;

/**
 * Finds the number of concurrent requests that a server accepts, by trial. At the start the limit
 * grows by one with each answer in time, so that it doubles with each round trip. A late answer
 * does not count, because a busy client sends its requests too slowly for the server to see all of
 * them together. The first refusal ends the start: the limit falls to three quarters, or to the
 * number of accepted requests if that is smaller. After any refusal the limit recovers half of the
 * distance at a time. It stays below the refused limit for a while; then it tries one more, two,
 * four. If half as many requests again take more than a quarter longer, the link is saturated, and
 * the limit returns to its previous value.
 *
 * <p>A change is judged only by requests that began after it. Growth is judged by requests that saw
 * the limit in full use: while they were in flight, or, where a refused limit is known, at their
 * end. A read of 64 chunks that begins 50 requests at once sees full use by nearly all of them, but
 * ends only 14 in it.
 */
final class AdaptiveLimit {
  /**
   * A server without limits then answers 64 requests in two round trips, and 512 requests in nine,
   * where a fixed limit of 64 needs eight. A server that accepts 16 refuses 6.
   */
  static final int START = 22;

  /**
   * The bound up to which the limit grows with single answers and a late first round is ignored,
   * because the first request over each connection takes two or three times as long as later ones.
   */
  static final int QUICK = 64;

  static final int LEAST_PATIENCE = 8;
  static final int MOST_PATIENCE = 64;

  private static final int NONE = Integer.MAX_VALUE;

  /** The factor to the fastest answer up to which an answer is in time. */
  private static final double IN_TIME = 1.25;

  private final int most;
  private int limit;

  /** True until the first refusal. */
  private boolean starting = true;

  /** Since the start: the shortest time of an answer, and the most that were answered in time. */
  private long fastest = Long.MAX_VALUE;

  private int together;

  /** The largest limit that is expected to be accepted; {@link #NONE} if unknown. */
  private int ceiling = NONE;

  /** By how much the limit grows beyond the ceiling. */
  private int step = 1;

  /** How many rounds the limit stays at the ceiling, and how many it has. */
  private int patience = LEAST_PATIENCE;

  private int stayed;

  /** The number of the last change, and of the last that made the limit smaller. */
  private int change;

  private int fall;

  /** The requests that were answered since the start. */
  private int unrefused;

  /** The limit before it fell for the first refusal of the start, and the refusals since. */
  private int fallenFrom;

  private int refusals;

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

  /** Returns the number of the last change, which a request records when it begins. */
  synchronized int change() {
    return change;
  }

  /**
   * Records an answer.
   *
   * @param begun what {@link #change()} was when it began
   * @param underWay the number of requests in flight when it began, itself included
   * @param inFullUse true if the limit is reached now
   * @param sawFullUse true if the limit was reached while the request was in flight
   * @return by how much the limit changed
   */
  synchronized int answered(
      int begun, int underWay, boolean inFullUse, boolean sawFullUse, long tookNanos) {
    if (begun != change || !(ceiling == NONE ? sawFullUse : inFullUse)) {
      return 0;
    }
    nanos += tookNanos;
    ended++;
    fastest = Math.min(fastest, tookNanos);
    boolean inTime = isInTime((double) tookNanos);
    if (inTime) {
      together = Math.max(together, underWay);
    }
    int grown = starting && limit < QUICK ? startUp(inTime) : 0;
    return ended < limit ? grown : grown + endRound(nanos / ended);
  }

  /**
   * Grows the limit at the start, but only after the refusals of the first requests would have
   * arrived. If all of their answers are in time, the server has seen them together.
   */
  private int startUp(boolean inTime) {
    unrefused++;
    if (unrefused == START) {
      return isInTime(nanos / ended) ? changed(2 * limit) : 0;
    }
    return inTime && unrefused > START ? changed(limit + 1) : 0;
  }

  private boolean isInTime(double tookNanos) {
    return tookNanos <= IN_TIME * fastest;
  }

  /** Changes the limit without advancing {@link #change}, so that the requests in flight count. */
  private int changed(int wanted) {
    int next = Math.min(wanted, most);
    int grown = Math.max(0, next - limit);
    limit += grown;
    return grown;
  }

  /**
   * Records a refusal.
   *
   * @param begun what {@link #change()} was when it began
   * @param others the number of other requests in flight
   * @return by how much the limit changed
   */
  synchronized int refused(int begun, int others) {
    if (begun < fall) {
      return fallenFrom == 0 ? 0 : fallFurther(others); // later requests saw a smaller limit
    }
    if (starting) {
      starting = false;
      fallenFrom = limit;
      refusals = 0;
      int changed = fallFurther(others);
      fall = change;
      return changed;
    }
    fallenFrom = 0;
    boolean tried = limit > ceiling;
    patience = tried ? Math.min(2 * patience, MOST_PATIENCE) : LEAST_PATIENCE;
    int next = tried ? ceiling : limit * 3 / 4;
    ceiling = Math.max(1, tried ? next : limit - 1);
    referenceLimit = 0;
    int changed = changeTo(next);
    fall = change;
    return changed;
  }

  /** Lowers the limit by one more refused request of the start. */
  private int fallFurther(int others) {
    refusals++;
    int accepted = Math.max(1, fallenFrom - refusals);
    int next = Math.min(Math.min(accepted, fallenFrom * 3 / 4), others);
    ceiling = Math.min(ceiling, accepted);
    patience = LEAST_PATIENCE;
    referenceLimit = 0;
    return next >= limit ? 0 : changeTo(Math.max(next, fallenFrom / 4));
  }

  /**
   * Forgets the knowledge of the server, which is stale after a while without requests.
   *
   * @return by how much the limit changed
   */
  synchronized int forget() {
    ceiling = NONE;
    patience = LEAST_PATIENCE;
    referenceLimit = 0;
    starting = true;
    fallenFrom = 0;
    unrefused = 0;
    fastest = Long.MAX_VALUE;
    together = 0;
    return changeTo(Math.max(limit, START));
  }

  private int endRound(double meanNanos) {
    ended = 0;
    nanos = 0;
    if (starting) {
      boolean inTime = isInTime(meanNanos);
      int grown = inTime ? changed(2 * together) : 0;
      if (grown > 0 || (!inTime && unrefused <= START)) {
        return grown;
      }
      starting = false;
      if (limit > QUICK) {
        referenceLimit = together;
        referenceNanos = fastest;
      }
    }
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
    if (referenceLimit > 0 && 2L * limit < 3L * referenceLimit) {
      next = Math.min(next, (3 * referenceLimit + 1) / 2); // the point at which times are compared
    }
    int nextStep = Math.min(2 * step, most);
    int changed = changeTo(next);
    step = nextStep;
    return changed;
  }

  /** Returns true if throughput grew by at most half as much as the limit. */
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
