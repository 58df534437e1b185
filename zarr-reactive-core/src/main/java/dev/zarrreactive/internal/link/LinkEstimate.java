package dev.zarrreactive.internal.link;

import dev.zarrreactive.store.Price;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The latency of a store and the bandwidth of one connection to it, found from how long requests
 * take. Thread-safe.
 *
 * <p>A line through time over bytes, the latest requests weighing most. A request that takes longer
 * than the line says weighs little: it may have waited for something. Many late ones in a row are
 * no exceptions, and everything before them is forgotten. While all requests are of one size, the
 * bandwidth is what was last found.
 */
public final class LinkEstimate {
  /** The assumption before the first request: a data centre some way off. */
  static final Link BEFORE = new Link(TimeUnit.MILLISECONDS.toNanos(50), 40);

  private static final double MEMORY = 64;
  private static final double WEIGHT_OF_LATE = 0.1;
  private static final int FIRST = 8;
  private static final int LATE_IN_A_ROW = 32;

  /** How different sizes must be, as a sum of squares, to outweigh the assumed bandwidth. */
  private static final double DIFFERENT = Math.pow(32 << 10, 2);

  private static final double FASTEST = 0.05; // nanoseconds for a byte: 20 GB/s
  private static final double MOST_OF_TIME = 0.98; // that a mean request's bytes may take

  private int seen;
  private int lateInARow;
  private double weight;
  private double bytes;
  private double nanos;
  private double bytesSquared;
  private double bytesNanos;
  private double lastSlope = BEFORE.nanosPerByte();
  private Link link = BEFORE;

  /** Returns the current estimate. */
  public synchronized Link now() {
    return link;
  }

  /**
   * Records an answer.
   *
   * @param size the number of bytes
   * @param took the time from when it was sent, not from when it began to wait for its turn, until
   *     the last byte was there
   */
  public synchronized void observe(long size, long took) {
    if (size >= 0 && took > 0) {
      take((double) size, (double) took);
    }
  }

  private void take(double size, double took) {
    double expected = link.latencyNanos() + size * link.nanosPerByte();
    lateInARow = took > 1.5 * expected ? lateInARow + 1 : 0;
    if (lateInARow == LATE_IN_A_ROW) {
      forget();
    }
    boolean late = seen >= FIRST && took > expected;
    seen++;
    add(size, late ? Math.min(took, 2 * expected) : took, late ? WEIGHT_OF_LATE : 1);
    link = line();
  }

  private void forget() {
    seen = 0;
    lateInARow = 0;
    lastSlope = BEFORE.nanosPerByte();
    weight = 0;
    bytes = 0;
    nanos = 0;
    bytesSquared = 0;
    bytesNanos = 0;
  }

  private void add(double size, double took, double counts) {
    double kept = 1 - counts / MEMORY;
    weight = weight * kept + counts;
    bytes = bytes * kept + counts * size;
    nanos = nanos * kept + counts * took;
    bytesSquared = bytesSquared * kept + counts * size * size;
    bytesNanos = bytesNanos * kept + counts * size * took;
  }

  private Link line() {
    double meanBytes = bytes / weight;
    double meanNanos = nanos / weight;
    double variance = Math.max(0, bytesSquared - bytes * meanBytes);
    double covariance = bytesNanos - nanos * meanBytes;
    double slope = (covariance + DIFFERENT * lastSlope) / (variance + DIFFERENT);
    double steepest = MOST_OF_TIME * meanNanos / Math.max(1, meanBytes);
    slope = Math.max(FASTEST, Math.min(slope, steepest));
    if (variance > DIFFERENT) {
      lastSlope = slope;
    }
    double latency = Math.max(meanNanos - slope * meanBytes, meanNanos * (1 - MOST_OF_TIME));
    return new Link(latency, slope);
  }

  /**
   * The cost of a request on the way to a store.
   *
   * @param latencyNanos the time of a request without its bytes
   * @param nanosPerByte the time of each byte on one connection; never 0
   */
  public record Link(double latencyNanos, double nanosPerByte) {
    /** The bytes of the first flight of packets: none of them waits for another. */
    private static final long FIRST_FLIGHT = 16 << 10;

    /**
     * Returns the share of a value's bytes from which one request for all of them costs less than
     * two, one for an index and then one for the share; 0 or less if it does for any share.
     */
    public double shareOfAll(Price price, long all) {
      double request = price.total(1, 0, Duration.ofNanos((long) latencyNanos));
      return 1 - request / price.total(0, all, Duration.ofNanos((long) (all * nanosPerByte)));
    }

    /** Returns the time of a request for {@code bytes} bytes. */
    double nanos(long bytes) {
      return latencyNanos + Math.max(0, bytes - FIRST_FLIGHT) * nanosPerByte;
    }
  }
}
