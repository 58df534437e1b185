package dev.zarrreactive.internal.planning;

/**
 * What a request costs on the way to a store.
 *
 * @param latencyNanos the time of a request without its bytes
 * @param nanosPerByte the time of each byte on one connection; never 0
 */
public record Link(double latencyNanos, double nanosPerByte) {
  /** What the first flight of packets carries: no byte of it waits for another. */
  private static final long FIRST_FLIGHT = 16 << 10;

  /** The time of a request for so many bytes. */
  double nanos(long bytes) {
    return latencyNanos + Math.max(0, bytes - FIRST_FLIGHT) * nanosPerByte;
  }
}
