package dev.zarrreactive.store;

/** The operations of a store that a {@link StoreObserver} is told of. */
public enum StoreOperation {
  /** {@code get(key)}, or {@code getVersioned} without a range. */
  GET,
  /** {@code get(key, range)}, or {@code getVersioned} with a range. */
  GET_RANGE,
  /** {@code getPartialValues}. */
  GET_PARTIAL_VALUES,
  /** {@code set}. */
  SET,
  /** {@code setPartialValues}. */
  SET_PARTIAL_VALUES,
  /** {@code erase}. */
  ERASE,
  /** {@code eraseValues}. */
  ERASE_VALUES,
  /** {@code erasePrefix}. */
  ERASE_PREFIX,
  /** {@code list}. */
  LIST,
  /** {@code listPrefix}. */
  LIST_PREFIX,
  /** {@code listDir}. */
  LIST_DIR
}
