package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Datasets over random stacks of decorators, with small budgets, failures that go away and
 * consumers that are slow or stop: everything ends, results are right, and nothing is held.
 */
class DatasetOverStacksTest {
  private static final int TIMES = 12;
  private static final int ROWS = 10;
  private static final int COLUMNS = 14;

  private InstrumentedStore origin = InstrumentedStore.of(MemoryStore.create());

  private void create(Random random, boolean isSharded) {
    origin = InstrumentedStore.of(MemoryStore.create());
    ZarrHierarchy plain = Zarr.hierarchy(origin);
    await(plain.createGroup(""));
    for (String name : List.of("t2m", "rain")) {
      Shape shape = Shape.of(TIMES, ROWS, COLUMNS);
      ArrayMetadataBuilder array =
          ArrayMetadata.v3(shape, name.equals("rain") ? DataTypes.FLOAT32 : DataTypes.INT16)
              .dimensionNames("time", "lat", "lon")
              .attributes(Json.object("{'_FillValue': -9, 'scale_factor': 0.5, 'add_offset': 2}"));
      array = name.equals("rain") ? array.chunkShape(3, 10, 4) : array.chunkShape(2, 5, 7);
      if (isSharded && name.equals("t2m")) {
        array = array.shardShape(4, 10, 14);
      }
      int[] values = random.ints(TIMES * ROWS * COLUMNS, -9, 500).toArray();
      write(plain, name, array, NdArray.ofInts(DataTypes.INT32, shape, values));
    }
    int[] days = IntStream.range(0, TIMES).map(i -> 20 * i).toArray();
    write(
        plain,
        "time",
        ArrayMetadata.v3(Shape.of(TIMES), DataTypes.INT32)
            .chunkShape(5)
            .dimensionNames("time")
            .attributes(Json.object("{'units': 'days since 2001-01-01', 'calendar': 'noleap'}")),
        NdArray.ofInts(DataTypes.INT32, Shape.of(TIMES), days));
  }

  private static void write(
      ZarrHierarchy to, String path, ArrayMetadataBuilder array, NdArray values) {
    ArrayMetadata metadata = array.build();
    await(
        to.createArray(path, metadata)
            .flatMap(made -> made.write(Selection.all(), values.cast(metadata.dataType()))));
  }

  private Store stack(Random random) {
    Stores.Stack stack = Stores.stack(origin);
    if (random.nextBoolean()) {
      stack = stack.limit(RequestLimit.fixed(1 + random.nextInt(4)));
    }
    stack =
        stack.retry(
            RetryOptions.defaults()
                .withAttempts(8)
                .withBackoff(Duration.ofMillis(1), Duration.ofMillis(2)));
    if (random.nextBoolean()) {
      stack = stack.cache(CacheOptions.ofBytes(200 + random.nextInt(20_000)));
    }
    return stack.build();
  }

  /** Returns options with a budget of a few chunks, which has the results of statistics. */
  private static ZarrOptions options(Random random, int least) {
    ZarrOptions options =
        ZarrOptions.defaults()
            .withMaxConcurrency(1 + random.nextInt(6))
            .withMaxInFlightBytes(least + random.nextInt(8_000));
    return random.nextBoolean() ? options.withDecodedChunkCache(1 + random.nextInt(5000)) : options;
  }

  @Property(tries = 60)
  void reads_streams_and_statistics_end_with_right_values_and_hold_nothing(
      @ForAll long seed, @ForAll boolean isSharded) {
    Random random = new Random(seed);
    create(random, isSharded);
    Dataset plain = requireNonNull(await(Dataset.open(Zarr.hierarchy(origin), "")));
    NdArray all = requireNonNull(await(plain.variable("t2m").read()));
    ZarrHierarchy hierarchy = Zarr.hierarchy(stack(random), options(random, 4_000));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "")));
    origin.counts().reset();
    origin.failNext(
        1 + random.nextInt(6),
        request -> request.target().contains("/c/"),
        () -> new TransientStoreException("busy", Location.UNKNOWN));

    List<Mono<?>> work = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      work.add(work(random, dataset, all));
    }
    await(Flux.fromIterable(work).flatMap(each -> each, 6).then());
    eventually("no bytes are in flight", () -> hierarchy.bytesInFlight() == 0);
    eventually("no request is under way", () -> origin.counts().inFlight() == 0);
    assertThat(requireNonNull(await(dataset.variable("t2m").read()))).isEqualTo(all);
    eventually("no bytes are in flight", () -> hierarchy.bytesInFlight() == 0);
    origin.behave();
  }

  /** Reads, streams, selects or reduces, and checks the result; some streams are cancelled. */
  private static Mono<?> work(Random random, Dataset dataset, NdArray all) {
    int first = random.nextInt(TIMES);
    int few = random.nextInt(5);
    String part = first + ":" + (first + 1 + random.nextInt(TIMES - first));
    NdArray expected = all.slice(Selection.parse(part));
    Duration pause = Duration.ofMillis(random.nextInt(3));
    return switch (random.nextInt(7)) {
      case 0 ->
          dataset
              .isel("time", part)
              .variable("t2m")
              .read()
              .doOnNext(found -> assertThat(found).isEqualTo(expected));
      case 1 ->
          dataset
              .variable("t2m")
              .chunks()
              .concatMap(chunk -> Mono.delay(pause).thenReturn(chunk), 1)
              .doOnNext(chunk -> assertThat(chunk.data()).isEqualTo(in(all, chunk)))
              .then();
      case 2 -> // a consumer that stops
          dataset.variable("rain").chunks().take(few).then();
      case 3 -> dataset.blocks("t2m", "rain").take(few).then();
      case 4 -> // reads inside of a stream's consumer
          dataset
              .isel("time", part)
              .variable("t2m")
              .chunks()
              .concatMap(chunk -> dataset.isel("time", 0).variable("rain").read(), 1)
              .then();
      case 5 ->
          dataset
              .variable("t2m")
              .over("time")
              .statistics(Statistic.COUNT, Statistic.MAX)
              .doOnNext(
                  found ->
                      assertThat(requireNonNull(found.get(Statistic.MAX)).toDoubleArray())
                          .isEqualTo(greatest(all)));
      default ->
          dataset
              .sel("time", "2001-02")
              .read("t2m")
              .doOnNext(found -> assertThat(found).isEqualTo(all.slice(Selection.parse("2:3"))));
    };
  }

  private static NdArray in(NdArray all, Chunk chunk) {
    return all.slice(Selection.parse(chunk.selection().toString()));
  }

  private static double[] greatest(NdArray all) {
    double[] values = all.toDoubleArray();
    double[] greatest = new double[ROWS * COLUMNS];
    Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < values.length; i++) {
      int cell = i % greatest.length;
      greatest[cell] = values[i] > greatest[cell] ? values[i] : greatest[cell];
    }
    return greatest;
  }

  /** Distances of values from the means of their months. */
  private static Mono<NdArray> months(Dataset dataset) {
    DatasetReduction months = dataset.groupBy("time", CalendarPart.MONTH);
    return months
        .mean("rain")
        .flatMap(months::minus)
        .flatMap(distances -> distances.variable("rain").read());
  }

  @Property(tries = 40)
  void a_cancel_at_any_time_ends_requests_and_releases_bytes(@ForAll long seed) {
    Random random = new Random(seed);
    create(random, random.nextBoolean());
    ZarrHierarchy hierarchy = Zarr.hierarchy(stack(random), options(random, 27_000));
    Dataset dataset = requireNonNull(await(Dataset.open(hierarchy, "")));
    origin.delay(Duration.ofMillis(1));
    Mono<?> work =
        switch (random.nextInt(6)) {
          case 4 -> dataset.variable("t2m").minus(dataset.variable("rain")).read();
          case 5 -> months(dataset);
          case 0 -> dataset.variable("t2m").over("time").mean();
          case 1 -> dataset.resample("time", CalendarPeriod.MONTH).mean("rain");
          case 2 -> dataset.blocks("t2m", "rain").then();
          default -> dataset.sel("time", "2001-02", "2001-06").chunks("t2m").then();
        };
    await(
        Mono.firstWithSignal(work, Mono.delay(Duration.ofMillis(random.nextInt(12))))
            .timeout(Waiting.PATIENCE));
    eventually("no bytes are in flight", () -> hierarchy.bytesInFlight() == 0);
    eventually("no request is under way", () -> origin.counts().inFlight() == 0);
    origin.behave();
  }
}
