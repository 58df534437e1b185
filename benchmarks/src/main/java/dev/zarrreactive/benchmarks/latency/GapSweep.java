package dev.zarrreactive.benchmarks.latency;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Fixed gaps of several sizes against the adaptive one. All have the same bounds of size and
 * over-read; each has a client of its own that knows the shards' indexes, and the clients take
 * turns in random order.
 */
final class GapSweep {
  private static final int SHARDS = 4;
  private static final int INNER = 256;
  private static final int ELEMENTS = 4096;
  private static final int TIMES = 7;
  private static final int TIMES_WHEN_NEAR = 31;
  private static final String NONE = "none";
  private static final String ADAPTIVE = "adaptive";
  private static final String FASTEST = "fastest";

  private final Store store = FarArrays.shards(SHARDS, INNER, ELEMENTS);
  private final PrintStream out;
  private final Random random = new Random(2);

  GapSweep(PrintStream out) {
    this.out = out;
  }

  List<Figure> all() {
    List<Figure> figures = new ArrayList<>();
    out.println("| at | chunks | " + String.join(" | ", policies().keySet()) + " |");
    out.println("|---|---|" + "---|".repeat(policies().size()));
    latency(1, false);
    for (int millis : new int[] {1, 20, 100}) {
      figures.addAll(latency(millis, true));
    }
    out.println();
    return figures;
  }

  private static Map<String, Coalescing> policies() {
    Coalescing fastest = Coalescing.fastest();
    Map<String, Coalescing> policies = new LinkedHashMap<>();
    policies.put(NONE, Coalescing.none());
    for (int kib : new int[] {0, 64, 256, 1024, 4096, 16384}) {
      policies.put(
          kib + " KiB", new Coalescing(kib * 1024L, fastest.maxSize(), fastest.maxOverRead()));
    }
    policies.put(ADAPTIVE, Coalescing.adaptive());
    policies.put(FASTEST, fastest);
    return policies;
  }

  private static Map<String, Selection> patterns() {
    Random random = new Random(1);
    Map<String, Selection> patterns = new LinkedHashMap<>();
    patterns.put("dense", pattern(i -> i % INNER < INNER * 5 / 8));
    patterns.put("every 2nd", pattern(i -> i % 2 == 0));
    patterns.put("every 8th", pattern(i -> i % 8 == 0));
    patterns.put("scattered", pattern(i -> random.nextInt(6) == 0));
    patterns.put("few", pattern(i -> i % INNER >= 100 && i % INNER < 110));
    return patterns;
  }

  /** An element of each of these inner chunks. */
  private static Selection pattern(IntPredicate wanted) {
    return Selection.of(
        DimensionSelection.indices(
            IntStream.range(0, SHARDS * INNER)
                .filter(wanted)
                .mapToLong(i -> (long) i * ELEMENTS + 7)
                .toArray()));
  }

  private List<Figure> latency(int millis, boolean counts) {
    Distance distance =
        Distance.of(Duration.ofMillis(millis))
            .withBytesPerSecond(Server.BYTES_PER_SECOND)
            .withConnections(Server.CONNECTIONS);
    DistantStore server = DistantStore.of(store, distance, Server.TIME);
    Map<String, ZarrArray> clients = new LinkedHashMap<>();
    policies().forEach((name, policy) -> clients.put(name, client(server, policy)));
    int times = millis < 10 ? TIMES_WHEN_NEAR : TIMES;
    List<Figure> figures = new ArrayList<>();
    patterns()
        .forEach(
            (pattern, selection) -> {
              Map<String, double[]> taken = new LinkedHashMap<>();
              Map<String, Integer> requests = new LinkedHashMap<>();
              Map<String, Long> bytes = new LinkedHashMap<>();
              for (int turn = -1; turn < times; turn++) {
                for (Map.Entry<String, ZarrArray> client : shuffled(clients)) {
                  server.reset();
                  double time = Stopwatch.once(client.getValue().read(selection));
                  if (turn >= 0) {
                    taken.computeIfAbsent(client.getKey(), n -> new double[times])[turn] = time;
                  }
                  requests.put(client.getKey(), server.requests());
                  bytes.put(client.getKey(), server.bytes());
                }
              }
              if (counts) {
                figures.addAll(compared(millis, pattern, taken, requests, bytes));
              }
            });
    return figures;
  }

  /** In a fixed order one would always come after the largest, with its garbage. */
  private List<Map.Entry<String, ZarrArray>> shuffled(Map<String, ZarrArray> clients) {
    List<Map.Entry<String, ZarrArray>> order = new ArrayList<>(clients.entrySet());
    Collections.shuffle(order, random);
    return order;
  }

  private static ZarrArray client(Store server, Coalescing policy) {
    ZarrOptions options =
        ZarrOptions.defaults().withShardReading(ShardReading.defaults().withCoalescing(policy));
    return Objects.requireNonNull(
        Zarr.hierarchy(server, options).openArray(FarArrays.PATH).block());
  }

  private List<Figure> compared(
      int millis,
      String pattern,
      Map<String, double[]> taken,
      Map<String, Integer> requests,
      Map<String, Long> bytes) {
    StringBuilder row = new StringBuilder("| " + millis + " ms | " + pattern + " |");
    double best = Double.MAX_VALUE;
    String bestGap = NONE;
    for (String policy : policies().keySet()) {
      double median = median(taken, policy);
      double times = (double) bytes.getOrDefault(policy, 0L) / bytes.getOrDefault(NONE, 1L);
      row.append(
          String.format(Locale.ROOT, " %,.1f (%d, ×%.1f) |", median, requests.get(policy), times));
      if (median < best && !policy.equals(ADAPTIVE) && !policy.equals(FASTEST)) {
        best = median;
        bestGap = policy;
      }
    }
    out.println(row);
    String at = pattern + " at " + millis + " ms, ";
    return List.of(
        new Figure(
            at + "fastest ÷ best fixed gap", "", ratio(taken, FASTEST, bestGap), 0, 1.1, bestGap),
        new Figure(at + "fastest ÷ no merging", "", ratio(taken, FASTEST, NONE), 0, 1.05, ""),
        new Figure(at + "adaptive ÷ no merging", "", ratio(taken, ADAPTIVE, NONE), 0, 1.05, ""));
  }

  /**
   * The time of one policy by that of another, turn by turn, the one in the middle: what slows the
   * machine for a while slows both.
   */
  private static double ratio(Map<String, double[]> taken, String one, String other) {
    double[] ones = Objects.requireNonNull(taken.get(one));
    double[] others = Objects.requireNonNull(taken.get(other));
    return Stopwatch.median(
        IntStream.range(0, ones.length).mapToDouble(i -> ones[i] / others[i]).toArray());
  }

  private static double median(Map<String, double[]> taken, String name) {
    return Stopwatch.median(Objects.requireNonNull(taken.get(name)));
  }
}
