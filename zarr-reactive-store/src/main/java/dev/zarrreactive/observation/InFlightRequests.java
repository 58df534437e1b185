package dev.zarrreactive.observation;

/** The requests of a limit, which several stores may share. */
public interface InFlightRequests {
  /** The number of requests in flight. */
  int underWay();

  /** The number of requests that wait for a permit. */
  int waiting();

  /** The most requests in flight that the limit allows now. */
  int current();
}
