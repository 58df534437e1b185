package dev.zarrreactive.error;

/**
 * A requested range is not inside of the stored value, which is shorter. The same request fails
 * again until the value is replaced; a reader that took the range from an older state of the value
 * fetches it again.
 */
public final class RangeOutOfBoundsException extends StoreException {
  private static final long serialVersionUID = 1L;

  /** The size of a value of which the store knows only that it is too short. */
  public static final long UNKNOWN_SIZE = -1;

  private final long size;

  /**
   * The error for one value.
   *
   * @param range the bytes that were wanted, for people
   * @param size of the value in bytes, or {@link #UNKNOWN_SIZE}
   */
  public RangeOutOfBoundsException(String range, long size, Location location) {
    super(
        "the value is too short: wanted "
            + range
            + " of "
            + (size < 0 ? "a value of fewer bytes" : size + " bytes"),
        location);
    this.size = size;
  }

  /** The size of the value in bytes; {@link #UNKNOWN_SIZE} where the store does not know it. */
  public long size() {
    return size;
  }
}
