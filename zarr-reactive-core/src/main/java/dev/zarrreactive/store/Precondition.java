package dev.zarrreactive.store;

/** What must hold for a {@code set} to happen. */
public enum Precondition {
  /** Nothing: what stands at the key is replaced. */
  NONE,
  /** There is no value at the key. */
  ABSENT
}
