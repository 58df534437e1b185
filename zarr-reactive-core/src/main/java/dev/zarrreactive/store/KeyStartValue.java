package dev.zarrreactive.store;

/** Bytes to write into the value at a key from the byte {@code start}. */
public record KeyStartValue(StoreKey key, long start, Bytes bytes) {
  /** A part to write; the start may not be negative. */
  public KeyStartValue {
    if (start < 0) {
      throw new IllegalArgumentException("negative start " + start + " for key " + key);
    }
  }
}
