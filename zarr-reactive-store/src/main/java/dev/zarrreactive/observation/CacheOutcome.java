package dev.zarrreactive.observation;

/** The result of a look-up in a cache. */
public enum CacheOutcome {
  /** The entry was cached. */
  HIT,
  /** Another look-up is fetching the value, which is shared. */
  SHARED,
  /** The value has to be fetched. */
  MISS,
  /** The entry was cached, and the store is asked whether it has changed. */
  REVALIDATION
}
