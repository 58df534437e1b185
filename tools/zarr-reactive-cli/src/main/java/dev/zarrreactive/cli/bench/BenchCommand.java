package dev.zarrreactive.cli.bench;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.describe.ChunkLayout;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.TimeConverter;
import dev.zarrreactive.cli.stream.Traffic;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Price;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr bench}. */
@Command(
    name = "bench",
    headerHeading = "Example: zarr bench https://host/earth.zarr/earth/relief --requests 100%n",
    description = {
      "Measures how fast the chunks of an array can be read.",
      "It only reads. Chunks are decoded to measure shards alone."
    })
public final class BenchCommand extends NodeOperation {
  private static final int MOST_CONCURRENCY = 256;

  /** The values of a step of the bandwidth, for each concurrent request. */
  private static final int ROUNDS = 2;

  /** The share of the requests that measure the latency. */
  private static final int LATENCY_SHARE = 5;

  /** The most times that half of a shard is read in each way. */
  private static final int MOST_TURNS = 3;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "500",
      description = "The most requests; ${DEFAULT-VALUE} by default.")
  private int requests;

  @Option(
      names = "--seconds",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = TimeConverter.class,
      description = "Start no further step after it; 30s by default.")
  private Duration time;

  @Option(
      names = "--price",
      paramLabel = "REQUESTS,GB,HOUR",
      split = ",",
      description = {
        "What a million requests, a gigabyte and an hour of this machine cost, such as 0.4,0.09,0.1.",
        "Adds the price of what was read, and proposes the options that cost least."
      })
  private double @Nullable [] price;

  @Option(names = "--json", description = "Print the numbers as JSON.")
  private boolean json;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (requests < LATENCY_SHARE) {
      throw new ParameterException(
          spec().commandLine(), "--requests is a number from " + LATENCY_SHARE);
    }
    Price paid = price();
    Traffic traffic = new Traffic();
    return location()
        .observedBy(traffic)
        .in(options(), place -> measure(place, paid, traffic))
        .publishOn(console.thread())
        .doOnNext(report -> console.out().print(json ? report.json() + "\n" : report.text()))
        .then();
  }

  private @Nullable Price price() {
    double[] given = price;
    try {
      if (given == null || given.length == 3) {
        return given == null ? null : Price.of(given[0], given[1], given[2]);
      }
    } catch (IllegalArgumentException e) {
      // below
    }
    throw new ParameterException(
        spec().commandLine(),
        "--price is three numbers from 0: what a million requests, a gigabyte and an hour cost");
  }

  private Mono<BenchReport> measure(NodePlace place, @Nullable Price paid, Traffic traffic) {
    return withWarnings(place.openArray())
        .flatMap(
            array -> {
              BenchReport report = new BenchReport(System.nanoTime() + time.toNanos(), paid);
              Store store = HierarchyRequests.of(place.hierarchy());
              return latency(store, array, report)
                  .then(Mono.defer(() -> bandwidth(store, new ChunkKeys(array), 1, report)))
                  .then(
                      Mono.defer(
                          () ->
                              measureMerging(array, place.hierarchy().options(), traffic, report)))
                  .thenReturn(report);
            });
  }

  /** Reads the metadata document, again and again. */
  private Mono<Void> latency(Store store, ZarrArray array, BenchReport report) {
    StoreKey key = array.metadata().documentKey(array.path());
    return Flux.range(0, Math.max(1, requests / LATENCY_SHARE))
        .takeWhile(number -> !report.isOver())
        .concatMap(
            number ->
                Mono.defer(
                    () -> {
                      long start = System.nanoTime();
                      return store
                          .get(key)
                          .doOnNext(value -> report.addLatency(System.nanoTime() - start))
                          .then();
                    }),
            1)
        .then();
  }

  /** Reads stored chunks, with twice the concurrency in each step. */
  private Mono<Void> bandwidth(Store store, ChunkKeys keys, int concurrency, BenchReport report) {
    int left = requests - requests / LATENCY_SHARE - report.chunkRequests();
    int count = Math.min(ROUNDS * concurrency, left);
    boolean fits = report.largest() * concurrency <= Runtime.getRuntime().maxMemory() / 4;
    if (count < concurrency
        || concurrency > MOST_CONCURRENCY
        || report.isOver()
        || report.isFlat()
        || !fits) {
      return Mono.empty();
    }
    List<StoreKey> batch = keys.next(count);
    long start = System.nanoTime();
    return Concurrently.map(
            Flux.fromIterable(batch),
            concurrency,
            key -> store.get(key).map(value -> (long) value.size()).defaultIfEmpty(-1L))
        .collectList()
        .flatMap(
            sizes -> {
              report.addStep(concurrency, sizes, System.nanoTime() - start);
              return bandwidth(store, keys, 2 * concurrency, report);
            });
  }

  /**
   * Reads half of a shard with merged requests, with one for each inner chunk, and with those that
   * cost least: first once, which loads classes and fills caches of others, then in turns, of which
   * the quickest of each count.
   */
  private Mono<Void> measureMerging(
      ZarrArray array, ZarrOptions options, Traffic traffic, BenchReport report) {
    ChunkLayout layout = ChunkLayout.of(array);
    long inner = layout.isSharded() ? halfOfShard(array, layout) : 0;
    if (inner < 2 || report.isOver() || inner > requests - report.chunkRequests()) {
      return Mono.empty();
    }
    List<BenchReport.Way> ways = report.ways();
    int turns = (int) Math.min(MOST_TURNS, (requests - report.chunkRequests()) / inner / 2);
    return Flux.fromIterable(ways)
        .concatMap(
            way -> halfShard(withCoalescing(array, options, way.policy()), layout, traffic), 1)
        .collectList()
        .repeat(Math.max(1, turns))
        .takeWhile(round -> !report.isOver())
        .collectList()
        .filter(rounds -> !rounds.isEmpty())
        .doOnNext(
            rounds ->
                report.setReads(rounds.subList(Math.min(1, rounds.size() - 1), rounds.size())))
        .then();
  }

  private static ZarrArray withCoalescing(
      ZarrArray array, ZarrOptions options, Coalescing coalescing) {
    return array.withOptions(
        options.withShardReading(options.shardReading().withCoalescing(coalescing)));
  }

  private static Selection half(ZarrArray array, ChunkLayout layout) {
    long[] extents = layout.outer().toArray();
    for (int d = 0; d < extents.length; d++) {
      extents[d] = Math.min(extents[d], array.shape().extent(d));
    }
    long chunk = layout.innermost().extent(0);
    extents[0] = Math.min(extents[0], Math.max(1, extents[0] / chunk / 2) * chunk);
    return Selection.box(new long[extents.length], extents);
  }

  private static long halfOfShard(ZarrArray array, ChunkLayout layout) {
    long[] extents = half(array, layout).resolve(array.shape()).shape().toArray();
    long count = 1;
    for (int d = 0; d < extents.length; d++) {
      long chunk = layout.innermost().extent(d);
      count *= (extents[d] + chunk - 1) / chunk;
    }
    return count;
  }

  private static Mono<BenchReport.Read> halfShard(
      ZarrArray array, ChunkLayout layout, Traffic traffic) {
    return Mono.defer(
        () -> {
          Traffic.Numbers before = traffic.now();
          long start = System.nanoTime();
          return array
              .chunks(half(array, layout))
              .then(
                  Mono.fromSupplier(
                      () -> {
                        Traffic.Numbers after = traffic.now();
                        return new BenchReport.Read(
                            after.requested() - before.requested(),
                            after.bytes() - before.bytes(),
                            System.nanoTime() - start);
                      }));
        });
  }
}
