package dev.zarrreactive.error;

import org.jspecify.annotations.Nullable;

/**
 * The heap, or the bound of the bytes in flight, has no room for bytes that an operation needs.
 * Only the operation ends. The same operation may succeed after others have ended, or with a larger
 * heap or bound; the message says which.
 */
public final class MemoryExhaustedException extends ZarrException {
  private static final long serialVersionUID = 1L;

  /** Stands for an allocation of unknown size. */
  public static final long UNKNOWN_SIZE = -1;

  private final long wantedBytes;

  /**
   * Creates the error for one allocation, or for all allocations of one step.
   *
   * @param purpose the use of the bytes, such as {@code to decode a chunk}
   * @param wantedBytes the number of bytes to allocate, or {@link #UNKNOWN_SIZE}
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

  /**
   * Creates the error for bytes that a bound of the options has no room for.
   *
   * @param message names the bound, what holds its bytes, and the option
   * @param wantedBytes the number of bytes that were asked for
   */
  public MemoryExhaustedException(String message, long wantedBytes, Location location) {
    super(message, location, null);
    this.wantedBytes = wantedBytes;
  }

  /** The number of bytes to allocate, or {@link #UNKNOWN_SIZE}. */
  public long wantedBytes() {
    return wantedBytes;
  }
}
