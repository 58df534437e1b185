package dev.zarrreactive.simulation;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The requests that the origin was asked for, and those that are under way. */
final class OriginRequests {
  private final Set<OriginRequest> underWay = new LinkedHashSet<>();
  private final Map<String, Integer> reads = new HashMap<>();
  private int begun;
  private long lastMove;
  private long lastFault = Long.MIN_VALUE;
  private long trace = 17;

  /** A request from its beginning to its answer or cancel. */
  static final class OriginRequest {
    private final int number;
    private final String verb;
    private final String target;
    private final @Nullable RunningOperation owner;

    OriginRequest(int number, String verb, String target, @Nullable RunningOperation owner) {
      this.number = number;
      this.verb = verb;
      this.target = target;
      this.owner = owner;
    }

    int number() {
      return number;
    }

    /** Returns the operation that it was made for; null where its subscriber has no mark. */
    @Nullable RunningOperation owner() {
      return owner;
    }

    int hashOf() {
      return 31 * verb.hashCode() + target.hashCode();
    }

    boolean isRead() {
      return verb.startsWith("get");
    }

    String target() {
      return target;
    }

    @Override
    public String toString() {
      return "request "
          + number
          + " "
          + verb
          + " "
          + target
          + (owner == null ? "" : " for " + owner);
    }
  }

  OriginRequest begin(String verb, String target, @Nullable RunningOperation owner, long now) {
    OriginRequest request = new OriginRequest(begun++, verb, target, owner);
    underWay.add(request);
    moved(now, request.hashOf());
    return request;
  }

  void end(OriginRequest request, long now) {
    underWay.remove(request);
    moved(now, -request.hashOf());
  }

  /** Counts a read that was answered or has failed, and returns the number of equal ones. */
  int countRead(OriginRequest request) {
    return reads.merge(request.verb + " " + request.target, 1, Integer::sum);
  }

  void faulty(long now) {
    lastFault = now;
  }

  private void moved(long now, int what) {
    lastMove = now;
    trace = 31 * (31 * trace + now) + what;
  }

  Set<OriginRequest> underWay() {
    return underWay;
  }

  int begun() {
    return begun;
  }

  /** Returns when a request last began or ended. */
  long lastMove() {
    return lastMove;
  }

  /** Returns when a request last ended that a fault befell. */
  long lastFault() {
    return lastFault;
  }

  /** Returns a number that tells runs apart: which requests began and ended, and when. */
  long trace() {
    return trace;
  }
}
