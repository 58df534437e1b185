package dev.zarrreactive.benchmarks.latency;

import java.util.Arrays;
import reactor.core.publisher.Mono;

/** How long things take, in milliseconds. */
public final class Stopwatch {
  private Stopwatch() {}

  /** How long it takes. */
  public static double once(Mono<?> work) {
    long begun = System.nanoTime();
    work.block();
    return (double) (System.nanoTime() - begun) / 1e6;
  }

  static double median(int times, Mono<?> work) {
    double[] taken = new double[times];
    for (int i = 0; i < times; i++) {
      taken[i] = once(work);
    }
    return median(taken);
  }

  /** The one in the middle. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Returns the mean, for values whose median would be one of two extremes. */
  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
