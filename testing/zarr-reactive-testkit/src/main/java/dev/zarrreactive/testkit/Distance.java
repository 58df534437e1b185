package dev.zarrreactive.testkit;

import java.time.Duration;

/**
 * How far away a {@link DistantStore} is. Immutable; each {@code with} method makes a changed copy.
 *
 * @param latency what a request takes without its bytes
 * @param bytesPerSecond what one connection carries; {@link Long#MAX_VALUE} for no limit
 * @param connections how many requests are answered at a time; others wait for their turn
 * @param capacity how many requests may be there at a time, waiting or not; more are refused
 */
public record Distance(Duration latency, long bytesPerSecond, int connections, int capacity) {
  /** A distance; the latency may not be negative, the other numbers must be positive. */
  public Distance {
    if (latency.isNegative() || bytesPerSecond < 1 || connections < 1 || capacity < 1) {
      throw new IllegalArgumentException(
          "not a distance: "
              + latency
              + ", "
              + bytesPerSecond
              + " bytes per second, "
              + connections
              + " connections, capacity "
              + capacity);
    }
  }

  /** Returns a distance with this latency and no other limit. */
  public static Distance of(Duration latency) {
    return new Distance(latency, Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** Sets the bytes per second of each connection. */
  public Distance withBytesPerSecond(long bytes) {
    return new Distance(latency, bytes, connections, capacity);
  }

  /** Sets the number of requests that are answered at a time. */
  public Distance withConnections(int requests) {
    return new Distance(latency, bytesPerSecond, requests, capacity);
  }

  /** Sets the number of requests that may be there at a time; more are refused. */
  public Distance withCapacity(int requests) {
    return new Distance(latency, bytesPerSecond, connections, requests);
  }

  /** Returns the time that a request for {@code bytes} takes once it has a connection. */
  Duration time(long bytes) {
    double nanos = (double) bytes * 1e9 / (double) bytesPerSecond;
    return latency.plusNanos(Math.round(nanos));
  }
}
