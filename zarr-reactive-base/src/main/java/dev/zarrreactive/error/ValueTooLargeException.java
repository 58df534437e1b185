package dev.zarrreactive.error;

/**
 * A stored value has more bytes than the request allows, and the store refuses to read it. The same
 * request fails again until the value is replaced.
 */
public final class ValueTooLargeException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** Stands for the size of a value whose end the store has not seen. */
  public static final long UNKNOWN_SIZE = -1;

  private final long size;
  private final long maxBytes;

  /**
   * Creates the error for one value.
   *
   * @param size the value's size in bytes, or {@link #UNKNOWN_SIZE}
   * @param maxBytes the maximum that the request allows
   */
  public ValueTooLargeException(long size, long maxBytes, Location location) {
    super(
        "the value has "
            + (size < 0 ? "more than " + maxBytes + " bytes" : size + " bytes")
            + ", and at most "
            + maxBytes
            + " were expected",
        location);
    this.size = size;
    this.maxBytes = maxBytes;
  }

  /** The size of the value in bytes, or {@link #UNKNOWN_SIZE}. */
  public long size() {
    return size;
  }

  /** The maximum number of bytes that the request allows. */
  public long maxBytes() {
    return maxBytes;
  }
}
