package dev.zarrreactive.cli.bench;

import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The measurements of a store. Not thread-safe: one step follows the other. */
final class BenchReport {
  private static final int BAR = 40;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /** A better step has at least this share of the bandwidth before. */
  private static final double BETTER = 1.1;

  private final long end;
  private final List<Long> latencies = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private @Nullable Read merged;
  private @Nullable Read single;
  private long largest;
  private int missing;
  private int requests;

  /** Reads with one concurrency. */
  private record Step(int concurrency, int requests, long bytes, long nanos) {
    double bytesPerSecond() {
      return bytes / (Math.max(1, nanos) / NANOS_PER_SECOND);
    }
  }

  /** A read of a part of a shard. */
  record Read(long requests, long bytes, long nanos) {
    private String text() {
      return Quantities.plural(requests, "request")
          + ", "
          + Quantities.bytes(bytes)
          + ", "
          + millis(nanos);
    }

    private JsonObject json() {
      return JsonObject.EMPTY
          .with("requests", requests)
          .with("bytes", bytes)
          .with("microseconds", nanos / 1000);
    }
  }

  /**
   * Creates a report.
   *
   * @param end the time of {@link System#nanoTime} after which no step begins
   */
  BenchReport(long end) {
    this.end = end;
  }

  boolean isOver() {
    return System.nanoTime() - end >= 0;
  }

  void addLatency(long nanos) {
    latencies.add(nanos);
  }

  /** Adds the sizes of values, -1 for a missing one. */
  void addStep(int concurrency, List<Long> sizes, long nanos) {
    long bytes = 0;
    for (long size : sizes) {
      bytes += Math.max(0, size);
      missing += size < 0 ? 1 : 0;
      largest = Math.max(largest, size);
    }
    requests += sizes.size();
    steps.add(new Step(concurrency, sizes.size(), bytes, nanos));
  }

  void setMerging(Read merged, Read single) {
    this.merged = merged;
    this.single = single;
  }

  int chunkRequests() {
    return requests;
  }

  long largest() {
    return largest;
  }

  /** Returns whether the last two steps were no better than the best before. */
  boolean isFlat() {
    int size = steps.size();
    if (size < 3) {
      return size > 0 && steps.get(size - 1).requests() == 0;
    }
    double before = 0;
    for (Step step : steps.subList(0, size - 2)) {
      before = Math.max(before, step.bytesPerSecond());
    }
    return steps.get(size - 1).bytesPerSecond() < before * BETTER
        && steps.get(size - 2).bytesPerSecond() < before * BETTER;
  }

  /** Returns the least concurrency that has nine tenths of the best bandwidth; 0 without one. */
  private int bestConcurrency() {
    double best = fastest();
    return steps.stream()
        .filter(step -> best > 0 && step.bytesPerSecond() >= 0.9 * best)
        .mapToInt(Step::concurrency)
        .findFirst()
        .orElse(0);
  }

  private double fastest() {
    return steps.stream().mapToDouble(Step::bytesPerSecond).max().orElse(0);
  }

  private long latency(double share) {
    List<Long> sorted = latencies.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) ((sorted.size() - 1) * share));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("latency      median ").append(millis(latency(0.5)));
    text.append(", 95 % within ").append(millis(latency(0.95)));
    text.append(" (").append(Quantities.plural(latencies.size(), "small read")).append(")\n");
    text.append("chunks       ").append(Quantities.plural(requests, "read"));
    text.append(", ").append(missing).append(" missing, the largest of ");
    text.append(Quantities.bytes(largest)).append('\n');
    String label = "bandwidth";
    double fastest = Math.max(1, fastest());
    for (Step step : steps) {
      int length = (int) Math.round(step.bytesPerSecond() / fastest * BAR);
      text.append(
          String.format(
              Locale.ROOT,
              "%-12s %3d at a time  %-" + BAR + "s  %s/s%n".replace("%n", "\n"),
              label,
              step.concurrency(),
              "#".repeat(length),
              Quantities.bytes((long) step.bytesPerSecond())));
      label = "";
    }
    if (bestConcurrency() > 0) {
      text.append("best         ").append(bestConcurrency()).append(" at a time\n");
    }
    if (merged != null && single != null && merged.requests() == single.requests()) {
      text.append("merging      saves nothing here: half of a shard has ")
          .append(Quantities.plural(single.requests(), "request"))
          .append(" either way\n");
    } else if (merged != null && single != null) {
      text.append("merged       ").append(merged.text()).append(" for half of a shard\n");
      text.append("unmerged     ").append(single.text()).append('\n');
    }
    return text.toString();
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
  }

  JsonObject json() {
    List<JsonValue> all = new ArrayList<>();
    for (Step step : steps) {
      all.add(
          JsonObject.EMPTY
              .with("concurrency", step.concurrency())
              .with("requests", step.requests())
              .with("bytes", step.bytes())
              .with("bytes_per_second", (long) step.bytesPerSecond()));
    }
    JsonObject json =
        JsonObject.EMPTY
            .with("latency_median_microseconds", latency(0.5) / 1000)
            .with("latency_p95_microseconds", latency(0.95) / 1000)
            .with("chunk_requests", requests)
            .with("missing_chunks", missing)
            .with("largest_chunk_bytes", Math.max(0, largest))
            .with("best_concurrency", bestConcurrency())
            .with("bandwidth", new JsonArray(all));
    return merged == null || single == null
        ? json
        : json.with("merged", merged.json()).with("unmerged", single.json());
  }
}
