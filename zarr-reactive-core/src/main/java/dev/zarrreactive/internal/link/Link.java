package dev.zarrreactive.internal.link;

/**
 * The cost of a request on the way to a store.
 *
 * @param latencyNanos the time of a request without its bytes
 * @param nanosPerByte the time of each byte on one connection; never 0
 */
public record Link(double latencyNanos, double nanosPerByte) {
  /** The bytes of the first flight of packets: none of them waits for another. */
  private static final long FIRST_FLIGHT = 16 << 10;

  /** Returns the time of a request for {@code bytes} bytes. */
  double nanos(long bytes) {
    return latencyNanos + Math.max(0, bytes - FIRST_FLIGHT) * nanosPerByte;
  }
}
