package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * The heap has no room for bytes that an operation needs. The operation ends; the library and the
 * JVM go on, and the same operation may succeed when others have ended or where the heap is larger.
 */
public final class MemoryExhaustedException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** The size of an allocation that is not known. */
  public static final long UNKNOWN_SIZE = -1;

  private final long wantedBytes;

  /**
   * The error for one allocation, or for all that one step allocates.
   *
   * @param purpose the use of the bytes, such as {@code to decode a chunk}
   * @param wantedBytes how many bytes that takes, or {@link #UNKNOWN_SIZE}
   * @param cause the error of the JVM
   */
  public MemoryExhaustedException(
      String purpose, long wantedBytes, Location location, @Nullable OutOfMemoryError cause) {
    super(
        "out of memory: no room for "
            + (wantedBytes < 0 ? "the bytes" : wantedBytes + " bytes")
            + " "
            + purpose
            + "; the heap has at most "
            + Runtime.getRuntime().maxMemory()
            + " (-Xmx)",
        location,
        cause);
    this.wantedBytes = wantedBytes;
  }

  /** How many bytes were wanted; {@link #UNKNOWN_SIZE} where that is not known. */
  public long wantedBytes() {
    return wantedBytes;
  }
}
