package dev.zarrreactive.cli.bench;

import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The measurements of a store. Not thread-safe: one step follows the other. */
final class BenchReport {
  private static final int BAR = 40;
  private static final long THOUSAND = 1000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /** A better step has at least this share of the bandwidth before. */
  private static final double BETTER = 1.1;

  private final long end;
  private final List<Long> latencies = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final @Nullable Price price;
  private final List<Way> ways;
  private List<Read> reads = List.of(); // one for each way
  private long largest;
  private int missing;
  private int requests;

  /**
   * A way to read a part of a shard.
   *
   * @param name as the report has it
   * @param code as a program has it
   */
  record Way(String name, Coalescing policy, String code) {}

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

    private double cost(Price price) {
      return price.total(requests, bytes, Duration.ofNanos(nanos));
    }

    private JsonObject json(@Nullable Price price) {
      JsonObject json =
          JsonObject.EMPTY
              .with("requests", requests)
              .with("bytes", bytes)
              .with("microseconds", nanos / 1000);
      return price == null ? json : json.with("price", new JsonNumber(number(cost(price))));
    }
  }

  /**
   * Creates a report.
   *
   * @param end the time of {@link System#nanoTime} after which no step begins
   * @param price what reads cost; null where that is not asked
   */
  BenchReport(long end, @Nullable Price price) {
    this.end = end;
    this.price = price;
    Way merged = new Way("merged", Coalescing.adaptive(), "adaptive()");
    Way single = new Way("unmerged", Coalescing.none(), "none()");
    this.ways =
        price == null
            ? List.of(merged, single)
            : List.of(
                merged,
                single,
                new Way(
                    "cheapest",
                    Coalescing.cheapest(price),
                    String.format(
                        Locale.ROOT,
                        "cheapest(Price.of(%s, %s, %s))",
                        number(price.perRequest() * 1e6),
                        number(price.perByte() * 1e9),
                        number(price.perSecond() * 3600))));
  }

  /** Writes a number in the units of price lists without what floating point adds to it. */
  private static String number(double value) {
    return new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros().toPlainString();
  }

  /** Returns the ways in which a part of a shard is to be read. */
  List<Way> ways() {
    return ways;
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

  /** Sets the reads of a part of a shard, in each round one for each way; the quickest count. */
  void setReads(List<List<Read>> rounds) {
    reads =
        IntStream.range(0, ways.size())
            .mapToObj(
                way ->
                    rounds.stream()
                        .map(round -> round.get(way))
                        .min(Comparator.comparing(Read::nanos))
                        .orElseThrow())
            .toList();
  }

  /**
   * Returns the way that took the least time, the first of equal ones; or the one that cost the
   * least, the last of equal ones, which is the one that knows the price.
   */
  private @Nullable Way best() {
    Way best = null;
    double least = 0;
    for (int way = 0; way < reads.size(); way++) {
      Read read = reads.get(way);
      double cost = price == null ? read.nanos() : read.cost(price);
      if (best == null || cost < least || (price != null && cost == least)) {
        best = ways.get(way);
        least = cost;
      }
    }
    return best;
  }

  /** Returns the options that the measurements propose, as a program has them; null for none. */
  private @Nullable String proposal() {
    Way best = best();
    if (best == null && bestConcurrency() == 0) {
      return null;
    }
    StringBuilder options = new StringBuilder("ZarrOptions.defaults()");
    if (bestConcurrency() > 0) {
      options.append(".withMaxConcurrency(").append(bestConcurrency()).append(')');
    }
    if (best != null) {
      options.append(".withShardReading(ShardReading.defaults().withCoalescing(Coalescing.");
      options.append(best.code()).append("))");
    }
    return options.toString();
  }

  /** Returns a thousand stored chunks at the best concurrency; null where none was read. */
  private @Nullable Read thousandChunks() {
    return steps.stream()
        .filter(step -> step.concurrency() == bestConcurrency() && step.bytes() > 0)
        .map(
            step ->
                new Read(
                    THOUSAND,
                    THOUSAND * step.bytes() / step.requests(),
                    THOUSAND * step.nanos() / step.requests()))
        .findFirst()
        .orElse(null);
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
    if (!reads.isEmpty() && reads.stream().mapToLong(Read::requests).distinct().count() == 1) {
      text.append("merging      saves nothing here: half of a shard has ")
          .append(Quantities.plural(reads.get(0).requests(), "request"))
          .append(" either way\n");
    } else {
      for (int way = 0; way < reads.size(); way++) {
        text.append(String.format(Locale.ROOT, "%-13s", ways.get(way).name()));
        text.append(reads.get(way).text()).append(way == 0 ? " for half of a shard\n" : "\n");
      }
    }
    addPrices(text);
    String proposal = proposal();
    return (proposal == null ? text : text.append("options      ").append(proposal).append('\n'))
        .toString();
  }

  private void addPrices(StringBuilder text) {
    Price paid = price;
    Read chunks = thousandChunks();
    if (paid == null) {
      return;
    }
    if (chunks != null) {
      text.append("price        ").append(money(chunks.cost(paid))).append(" for 1,000 chunks\n");
    }
    for (int way = 0; way < reads.size(); way++) {
      text.append(way == 0 ? "half a shard " : ", ");
      text.append(money(reads.get(way).cost(paid))).append(' ').append(ways.get(way).name());
    }
    text.append(reads.isEmpty() ? "" : "\n");
  }

  private static String money(double amount) {
    return String.format(Locale.ROOT, "%.3g", amount);
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
    for (int way = 0; way < reads.size(); way++) {
      json = json.with(ways.get(way).name(), reads.get(way).json(price));
    }
    Read chunks = thousandChunks();
    if (price != null && chunks != null) {
      json = json.with("price_of_1000_chunks", new JsonNumber(number(chunks.cost(price))));
    }
    String proposal = proposal();
    return proposal == null ? json : json.with("options", proposal);
  }
}
