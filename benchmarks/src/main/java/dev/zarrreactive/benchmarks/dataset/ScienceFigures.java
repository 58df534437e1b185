package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.dataset.CalendarPart;
import dev.zarrreactive.dataset.CalendarPeriod;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetReduction;
import dev.zarrreactive.dataset.LabelMethod;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tasks of {@code docs/science.md} over a dataset on disk, in turns with xarray and dask: {@code
 * ScienceFigures DIRECTORY GIGABYTES ROUNDS PYTHON [TASK...]}, with a Python that has xarray, dask,
 * zarr and matplotlib, and the program {@code science_peer.py} beside this one. Each task runs in a
 * process of its own, ours in a heap of 256 MiB; its time is from the opened dataset to the result.
 * The dataset, {@code float32} by zstd, is made where the directory has none of that size, and
 * stays.
 *
 * <p>Prints a table in Markdown: the ratio of the medians of the times, both peaks of memory, and
 * the chunks that both have asked for. Both results are compared. What xarray does in memory alone,
 * and the data are larger, is measured here only.
 */
public final class ScienceFigures {
  private static final String PEER =
      "benchmarks/src/main/java/dev/zarrreactive/benchmarks/dataset/science_peer.py";

  private static final List<String> TASKS =
      List.of(
          "mean",
          "months",
          "climatology",
          "anomalies",
          "quantile",
          "region",
          "frost",
          "packed",
          "append",
          "point",
          "picture",
          "sketch");

  /** The tasks whose result is what they have written. */
  private static final List<String> WRITTEN = List.of("anomalies", "packed", "append");

  /** The task of which xarray needs all values in memory. */
  private static final String ALONE = "sketch";

  private static final int ROWS = 360;
  private static final int COLUMNS = 720;
  private static final int[] CHUNK = {128, 60, 120};
  private static final int KINDS = 8;
  private static final int HOURS = 1;

  private ScienceFigures() {}

  /**
   * What a process says of its task.
   *
   * @param seconds the time
   * @param processor the seconds of processors, also before the task
   * @param kilobytes the most memory that the process has had
   * @param chunks the number of requests for chunks
   * @param result the mean of all values of the result, which both sides compare
   */
  private record Run(double seconds, double processor, long kilobytes, long chunks, double result) {
    static Run parse(String line) {
      String[] words = line.trim().split(" ", -1);
      return new Run(
          Double.parseDouble(words[0]),
          Double.parseDouble(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          Double.parseDouble(words[4]));
    }
  }

  /** Measures, or with {@code --task} does one task and says what it took. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments[0].equals("--task")) {
      System.out.println(task(arguments[1], Path.of(arguments[2]), Path.of(arguments[3])));
      System.exit(0);
    }
    Path directory = Path.of(arguments[0]);
    double gigabytes = Double.parseDouble(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    List<String> tasks =
        arguments.length > 4 ? List.of(arguments).subList(4, arguments.length) : TASKS;
    Path data = directory.resolve(String.format(Locale.ROOT, "climate-%.2f.zarr", gigabytes));
    if (!Files.exists(data)) {
      make(data, gigabytes);
    }
    long times = times(gigabytes);
    System.out.printf(
        Locale.ROOT,
        "%.2f GB of float32, chunks %s, %d rounds; ours in a heap of 256 MiB%n%n",
        gigabytes,
        Arrays.toString(CHUNK),
        rounds);
    System.out.println(
        "| task | time ÷ xarray with dask | processor time ÷ | MiB, here | MiB, xarray | chunks"
            + " asked for, here | chunks, xarray | relative difference |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (String task : tasks) {
      List<Run> ours = new ArrayList<>();
      List<Run> theirs = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        Path target = directory.resolve("result.zarr");
        delete(target);
        ours.add(
            run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ScienceFigures.class.getName(),
                "--task",
                task,
                data.toString(),
                target.toString()));
        takeBack(data, times, task);
        delete(target);
        if (!task.equals(ALONE)) {
          theirs.add(run(arguments[3], PEER, task, data.toString(), target.toString()));
          takeBack(data, times, task);
          delete(target);
        }
      }
      if (theirs.isEmpty()) {
        System.out.printf(
            "| %s | | | %d | | %d | | |%n",
            task,
            ours.stream().mapToLong(Run::kilobytes).max().orElse(0) >> 10,
            ours.get(0).chunks());
        continue;
      }
      double mine = ours.get(0).result();
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.2f | %d | %d | %d | %d | %.1e |%n",
          task,
          median(ours, Run::seconds) / median(theirs, Run::seconds),
          median(ours, Run::processor) / median(theirs, Run::processor),
          ours.stream().mapToLong(Run::kilobytes).max().orElse(0) >> 10,
          theirs.stream().mapToLong(Run::kilobytes).max().orElse(0) >> 10,
          ours.get(0).chunks(),
          theirs.get(0).chunks(),
          Math.abs(mine - theirs.get(0).result()) / Math.max(1e-300, Math.abs(mine)));
    }
  }

  private static double median(List<Run> runs, ToDoubleFunction<Run> of) {
    double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static Run run(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      String last = "";
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        last = line;
      }
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " has failed");
      }
      System.err.println(command[0] + " " + last);
      return Run.parse(last);
    }
  }

  /** Counts the requests for chunks. */
  private static final class CountingChunks extends DelegatingStore {
    final AtomicLong chunks = new AtomicLong();

    CountingChunks(Store delegate) {
      super(delegate);
    }

    private void count(StoreKey key) {
      if (key.value().contains("/c/")) {
        chunks.incrementAndGet();
      }
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return super.get(key).doOnSubscribe(any -> count(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return super.get(key, range).doOnSubscribe(any -> count(key));
    }
  }

  private static String task(String task, Path data, Path target) throws IOException {
    CountingChunks store = new CountingChunks(FileSystemStore.open(data));
    Dataset dataset = Objects.requireNonNull(Dataset.open(Zarr.hierarchy(store), "").block());
    Dataset run = task.equals("append") ? run(dataset, target) : dataset;
    long before = store.chunks.get();
    long began = System.nanoTime();
    NdArray result = Objects.requireNonNull(result(task, dataset, run, data, target).block());
    double seconds = (System.nanoTime() - began) / 1e9;
    double processor =
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    long chunks = store.chunks.get() - before;
    double mean = mean(Variable.of("result", names(result), result));
    if (WRITTEN.contains(task)) {
      Path where = task.equals("append") ? data : target;
      Dataset written = Objects.requireNonNull(Dataset.open(Zarr.at(where.toString())).block());
      String part = task.equals("append") ? "-" + CHUNK[0] + ":" : "0:" + CHUNK[0];
      mean = mean(written.variable("t2m").isel("time", part).map(value -> value * value));
    }
    return String.format(
        Locale.ROOT, "%.6f %.2f %d %d %.17g", seconds, processor, kilobytes(), chunks, mean);
  }

  private static List<String> names(NdArray values) {
    return IntStream.range(0, values.shape().rank()).mapToObj(d -> "d" + d).toList();
  }

  private static double mean(Variable values) {
    return Objects.requireNonNull(values.over().mean().block()).getDouble();
  }

  /** Does a task; what it writes has a result that is read afterwards. */
  private static Mono<NdArray> result(
      String task, Dataset dataset, Dataset run, Path data, Path target) {
    NdArray none = NdArray.ofDoubles(Shape.of(1), new double[1]);
    Variable t2m = dataset.variable("t2m");
    DatasetReduction months = dataset.groupBy("time", CalendarPart.MONTH);
    ZarrLocation place = Zarr.at(target.toString());
    return switch (task) {
      case "mean" -> values(dataset.over("time").mean());
      case "months" -> values(dataset.resample("time", CalendarPeriod.MONTH).mean());
      case "climatology" -> values(months.mean());
      case "quantile" -> values(dataset.over("time").quantile(0.9));
      case "region" -> {
        Variable weights = dataset.variable("lat").map(lat -> Math.cos(Math.toRadians(lat)));
        yield values(dataset.over("lat", "lon").weighted(weights).mean());
      }
      case "frost" -> t2m.lessThan(273.15).over("time").sum();
      case "point" ->
          dataset
              .sel("time", "2000-02")
              .sel("lat", 48.2, LabelMethod.NEAREST)
              .sel("lon", 16.4, LabelMethod.NEAREST)
              .read("t2m");
      case "picture" -> dataset.isel("time", 0).picture("t2m").png().thenReturn(none);
      case "sketch" ->
          t2m.quantiles(0.001, 0.25, 0.5, 0.75).map(all -> NdArray.ofDoubles(Shape.of(3), all));
      case "packed" ->
          dataset
              .writeTo(
                  place,
                  Map.of("t2m", its -> its.packed(DataTypes.INT16, 0.01, 273.15).missing(-32768)))
              .thenReturn(none);
      case "append" -> run.appendTo(Zarr.at(data.toString()), "time").thenReturn(none);
      case "anomalies" ->
          months.mean().flatMap(months::minus).flatMap(all -> all.writeTo(place)).thenReturn(none);
      default -> throw new IllegalArgumentException("no task " + task + "; expected " + TASKS);
    };
  }

  private static Mono<NdArray> values(Mono<Dataset> result) {
    return result.flatMap(its -> its.variable("t2m").read());
  }

  /** Writes a dataset that goes on from another one: its first rows, under later times. */
  private static Dataset run(Dataset dataset, Path target) {
    long times = dataset.variable("t2m").shape().extent(0);
    dataset.isel("time", "0:" + CHUNK[0]).writeTo(Zarr.at(target.toString())).block();
    CountingChunks store = new CountingChunks(FileSystemStore.open(target));
    long[] hours = LongStream.range(times, times + CHUNK[0]).map(i -> HOURS * i).toArray();
    NdArray later = NdArray.ofLongs(DataTypes.INT64, Shape.of(hours.length), hours);
    Zarr.hierarchy(store)
        .openArray("time")
        .flatMap(array -> array.write(Selection.all(), later))
        .block();
    return Objects.requireNonNull(Dataset.open(Zarr.hierarchy(store), "").block());
  }

  /** Takes back what was appended. */
  private static void takeBack(Path data, long times, String task) {
    if (!task.equals("append")) {
      return;
    }
    var hierarchy = Zarr.hierarchy(FileSystemStore.open(data));
    Flux.just("t2m", "time")
        .concatMap(hierarchy::openArray)
        .concatMap(
            array -> {
              long[] extents = array.shape().toArray();
              extents[0] = times;
              return array.resize(Shape.of(extents));
            })
        .then(hierarchy.openGroup("").flatMap(group -> group.consolidate()))
        .block();
  }

  /** Returns the most memory that this process has had; 0 where the system does not say. */
  private static long kilobytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmHWM"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }

  private static int times(double gigabytes) {
    long each = 4L * ROWS * COLUMNS * CHUNK[0];
    return (int) Math.max(1, Math.round(gigabytes * 1e9 / each)) * CHUNK[0];
  }

  /**
   * Makes a dataset of a number of gigabytes, of a few chunks with noise. Chunks of one kind are
   * one file with several names, so that all come from the system's cache.
   */
  private static void make(Path data, double gigabytes) throws IOException {
    int times = times(gigabytes);
    var hierarchy = Zarr.hierarchy(FileSystemStore.open(data));
    hierarchy.createGroup("").block();
    coordinate(hierarchy, "lat", ROWS, 89.75, -0.5);
    coordinate(hierarchy, "lon", COLUMNS, 0.25, 0.5);
    long[] hours = LongStream.range(0, times).map(i -> HOURS * i).toArray();
    JsonObject units =
        JsonObject.EMPTY
            .with("units", new JsonString("hours since 2000-01-01"))
            .with("calendar", new JsonString("proleptic_gregorian"));
    hierarchy
        .createArray(
            "time",
            ArrayMetadata.v3(Shape.of(times), DataTypes.INT64)
                .chunkShape(times)
                .dimensionNames("time")
                .attributes(units)
                .build())
        .flatMap(
            array ->
                array.write(
                    Selection.all(), NdArray.ofLongs(DataTypes.INT64, Shape.of(times), hours)))
        .block();
    var t2m =
        Objects.requireNonNull(
            hierarchy
                .createArray(
                    "t2m",
                    ArrayMetadata.v3(Shape.of(times, ROWS, COLUMNS), DataTypes.FLOAT32)
                        .chunkShape(CHUNK[0], CHUNK[1], CHUNK[2])
                        .dimensionNames("time", "lat", "lon")
                        .build())
                .block());
    List<NdArray> kinds = new ArrayList<>();
    Random random = new Random(17);
    for (int kind = 0; kind < KINDS; kind++) {
      float[] values = new float[CHUNK[0] * CHUNK[1] * CHUNK[2]];
      for (int i = 0; i < values.length; i++) {
        values[i] = 280 + 12 * (float) Math.sin(i / 7e3 + kind) + random.nextInt(256) / 64f;
      }
      kinds.add(
          NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(CHUNK[0], CHUNK[1], CHUNK[2]), values));
    }
    List<long[]> origins = new ArrayList<>();
    for (int t = 0; t < times; t += CHUNK[0]) {
      for (int y = 0; y < ROWS; y += CHUNK[1]) {
        for (int x = 0; x < COLUMNS; x += CHUNK[2]) {
          origins.add(new long[] {t, y, x});
        }
      }
    }
    Path chunks = data.resolve("t2m").resolve("c");
    Path[] files = new Path[KINDS];
    for (long[] origin : origins) {
      int kind = (int) ((origin[0] / CHUNK[0] * 5 + origin[1] / 60 + origin[2]) % KINDS);
      Path file = chunks;
      for (int d = 0; d < origin.length; d++) {
        file = file.resolve(String.valueOf(origin[d] / CHUNK[d]));
      }
      if (files[kind] == null) {
        files[kind] = file;
        Selection box = Selection.box(origin, new long[] {CHUNK[0], CHUNK[1], CHUNK[2]});
        t2m.write(box, kinds.get(kind)).block();
      } else {
        Files.createDirectories(file.getParent());
        Files.createLink(file, files[kind]);
      }
    }
    hierarchy.openGroup("").flatMap(group -> group.consolidate()).block();
  }

  private static void coordinate(
      dev.zarrreactive.ZarrHierarchy hierarchy, String name, int count, double from, double step) {
    double[] values = new double[count];
    Arrays.setAll(values, i -> from + step * i);
    hierarchy
        .createArray(
            name,
            ArrayMetadata.v3(Shape.of(count), DataTypes.FLOAT64)
                .chunkShape(count)
                .dimensionNames(name)
                .build())
        .flatMap(array -> array.write(Selection.all(), NdArray.ofDoubles(Shape.of(count), values)))
        .block();
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
  }
}
