package dev.zarrreactive.store;

/** What became of a look-up in a cache. */
public enum LookUp {
  /** It was there. */
  HIT,
  /** It was being fetched for another one, and is shared. */
  SHARED,
  /** It has to be fetched. */
  MISS,
  /** It was there, and the store is asked whether it has changed. */
  REVALIDATION
}
