package dev.zarrreactive.simulation;

import java.util.List;

/**
 * A fault of the origin.
 *
 * @param request the number of the request that it befalls, counted from 0 over all; of {@link
 *     Kind#THROWN} the number of the call of the store, counted for itself
 * @param millis how long it lasts
 * @param isApplied whether a change takes effect before its answer is lost
 */
record PlannedFault(int request, Kind kind, long millis, boolean isApplied) {
  /** What goes wrong. */
  enum Kind {
    /** The answer comes late. */
    DELAY,
    /** The server answers 503. */
    UNAVAILABLE,
    /** The connection is lost while the answer, or the change, is under way. */
    CUT,
    /** No byte comes, until the store gives up. */
    STALL,
    /** The server dies under all requests, and refuses connections until it is back. */
    RESTART,
    /** The request fails on the thread of its subscription, before that returns. */
    AT_ONCE,
    /** The method of the store throws, where it should return a publisher that fails. */
    THROWN;

    /** The faults of a server that befall one request; families of seeds have the others. */
    static final List<Kind> OF_ONE_REQUEST = List.of(DELAY, UNAVAILABLE, CUT, STALL);
  }

  boolean isFailure() {
    return kind != Kind.DELAY;
  }

  @Override
  public String toString() {
    return "request "
        + request
        + ": "
        + kind
        + " "
        + millis
        + " ms"
        + (isFailure() && isApplied ? ", applied" : "");
  }
}
