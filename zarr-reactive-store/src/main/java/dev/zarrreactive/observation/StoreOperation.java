package dev.zarrreactive.observation;

import dev.zarrreactive.base.ByteRange;
import org.jspecify.annotations.Nullable;

/** The operations of a store that a {@link StoreObserver} receives. */
public enum StoreOperation {
  /**
   * {@code get(key)}, or {@code getVersioned} without a range; also a read of the whole value up to
   * a size, {@link ByteRange.Whole}.
   */
  GET,
  /** {@code get(key, range)}, or {@code getVersioned} with a range. */
  GET_RANGE,
  /** {@code set}. */
  SET,
  /** {@code erase}. */
  ERASE,
  /** {@code erasePrefix}. */
  ERASE_PREFIX,
  /** {@code list}. */
  LIST,
  /** {@code listPrefix}. */
  LIST_PREFIX,
  /** {@code listDir}. */
  LIST_DIR;

  /** Returns the operation that reads {@code range}; null for the whole value. */
  public static StoreOperation ofRead(@Nullable ByteRange range) {
    return range == null || range instanceof ByteRange.Whole ? GET : GET_RANGE;
  }
}
