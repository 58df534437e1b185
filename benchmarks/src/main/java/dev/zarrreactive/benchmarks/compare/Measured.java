package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.benchmarks.latency.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rounds of one client with one workload at one place. */
final class Measured {
  private final List<Double> millis = new ArrayList<>();
  private double cpuSeconds;
  private long requests;
  private long bytes;
  private long peakMebibytes;
  private long threads;
  private @Nullable String refusal;

  /** Adds a round. */
  void add(double roundMillis, double cpu, long roundRequests, long roundBytes) {
    millis.add(roundMillis);
    cpuSeconds += cpu;
    requests = roundRequests;
    bytes = roundBytes;
  }

  int rounds() {
    return millis.size();
  }

  /** Sets the state of the process after the last round. */
  void ended(long peak, long threadsNow) {
    peakMebibytes = peak;
    threads = threadsNow;
  }

  void refuse(String reason) {
    refusal = reason;
  }

  /** Returns the reason for which it took no part; null where it did. */
  @Nullable String refusal() {
    return refusal;
  }

  /** Returns the median of the times of {@code ours} ÷ those of this in the same round. */
  double timeOf(Measured ours) {
    int rounds = Math.min(millis.size(), ours.millis.size());
    double[] ratios = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      ratios[i] = ours.millis.get(i) / millis.get(i);
    }
    return Stopwatch.median(ratios);
  }

  /** Returns the median of the times of a round. */
  double medianMillis() {
    return Stopwatch.median(millis.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Returns the processor time of a round. */
  double cpuMillis() {
    return 1000 * cpuSeconds / millis.size();
  }

  /** Returns the requests of the last round. */
  long requests() {
    return requests;
  }

  /** Returns the bytes of the last round. */
  long bytes() {
    return bytes;
  }

  long peakMebibytes() {
    return peakMebibytes;
  }

  long threads() {
    return threads;
  }
}
