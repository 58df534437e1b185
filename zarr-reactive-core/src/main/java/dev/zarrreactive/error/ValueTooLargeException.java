package dev.zarrreactive.error;

/**
 * A stored value has more bytes than the request allowed, so that the store refused to read it. The
 * same request fails again until the value is replaced.
 */
public final class ValueTooLargeException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** The size of a value that ended beyond the bound before the store knew where. */
  public static final long UNKNOWN_SIZE = -1;

  private final long size;
  private final long maxBytes;

  /**
   * The error for one value.
   *
   * @param size of the value in bytes, or {@link #UNKNOWN_SIZE}
   * @param maxBytes how many the request allowed
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

  /** The size of the value in bytes; {@link #UNKNOWN_SIZE} where the store does not know it. */
  public long size() {
    return size;
  }

  /** How many bytes the request allowed. */
  public long maxBytes() {
    return maxBytes;
  }
}
