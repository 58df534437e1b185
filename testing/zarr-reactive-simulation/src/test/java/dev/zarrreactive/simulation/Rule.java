package dev.zarrreactive.simulation;

/** What must hold in every run. */
enum Rule {
  /** An operation ends when its consumer asks for more. */
  ENDS,
  /** What is read was stored then, or may have been. */
  VALUES,
  /** A complete result has each element of the selection once. */
  COMPLETE,
  /** An ordered stream is in C order. */
  ORDER,
  /** An error says where, and something did fail then. */
  ERRORS,
  /** No more bytes are in flight than the options allow. */
  BYTES,
  /** No more requests are under way than the limits allow. */
  REQUESTS,
  /** A permit is held exactly as long as its request is under way. */
  PERMITS,
  /** One request answers all who wait for the same. */
  ONCE,
  /** A key is looked up once in its life, by one request for all, and no request lacks one. */
  LOOK_UPS,
  /** A stream fetches no more than its demand and its prefetch. */
  PREFETCH,
  /** No request begins for an operation that was cancelled. */
  CANCEL,
  /** A snapshot never changes, a branch is linear, and a commit that was told is in it once. */
  HISTORY,
  /** In the end nothing is held or under way. */
  RELEASE,
  /** No error is dropped, and nothing is thrown on a thread. */
  NOTHING_DROPPED
}
