package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.dataset.CalendarPart;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetReduction;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tasks of {@code docs/science.md} over a dataset on disk, in turns with xarray and dask: {@code
 * ScienceFigures DIRECTORY GIGABYTES ROUNDS PYTHON [PEER]}, with a Python that has xarray, dask and
 * zarr, and the program {@code science_peer.py} beside this one. Each task runs in a process of its
 * own, ours in a heap of 256 MiB; its time is from the opened dataset to the result. The dataset,
 * {@code float32} by zstd, is made where the directory has none of that size, and stays.
 *
 * <p>Prints a table in Markdown: the ratio of the medians of the times, both peaks of memory, and
 * the chunks that both have asked for. Both results are compared.
 */
public final class ScienceFigures {
  private static final List<String> TASKS = List.of("mean", "climatology", "anomalies", "quantile");
  private static final int ROWS = 360;
  private static final int COLUMNS = 720;
  private static final int[] CHUNK = {128, 60, 120};
  private static final int KINDS = 8;
  private static final int HOURS = 6;

  private ScienceFigures() {}

  /**
   * What a process says of its task.
   *
   * @param seconds the time
   * @param kilobytes the most memory that the process has had
   * @param chunks the number of requests for chunks
   * @param result the mean of all values of the result, which both sides compare
   */
  private record Run(double seconds, long kilobytes, long chunks, double result) {
    static Run parse(String line) {
      String[] words = line.trim().split(" ", -1);
      return new Run(
          Double.parseDouble(words[0]),
          Long.parseLong(words[1]),
          Long.parseLong(words[2]),
          Double.parseDouble(words[3]));
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
    String peer =
        arguments.length > 4
            ? arguments[4]
            : "benchmarks/src/main/java/dev/zarrreactive/benchmarks/dataset/science_peer.py";
    Path data = directory.resolve(String.format(Locale.ROOT, "climate-%.2f.zarr", gigabytes));
    if (!Files.exists(data)) {
      make(data, gigabytes);
    }
    System.out.printf(
        Locale.ROOT,
        "%.2f GB of float32, chunks %s, %d rounds; ours in a heap of 256 MiB%n%n",
        gigabytes,
        Arrays.toString(CHUNK),
        rounds);
    System.out.println(
        "| task | time ÷ xarray with dask | MiB, here | MiB, xarray | chunks asked for, here |"
            + " chunks, xarray | relative difference |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (String task : TASKS) {
      List<Run> ours = new ArrayList<>();
      List<Run> theirs = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        Path target = directory.resolve("anomalies.zarr");
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
        delete(target);
        theirs.add(run(arguments[3], peer, task, data.toString(), target.toString()));
        delete(target);
      }
      double mine = ours.get(0).result();
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %d | %d | %d | %d | %.1e |%n",
          task,
          median(ours) / median(theirs),
          ours.stream().mapToLong(Run::kilobytes).max().orElse(0) >> 10,
          theirs.stream().mapToLong(Run::kilobytes).max().orElse(0) >> 10,
          ours.get(0).chunks(),
          theirs.get(0).chunks(),
          Math.abs(mine - theirs.get(0).result()) / Math.max(1e-300, Math.abs(mine)));
    }
  }

  private static double median(List<Run> runs) {
    double[] sorted = runs.stream().mapToDouble(Run::seconds).sorted().toArray();
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
    long began = System.nanoTime();
    Dataset result =
        switch (task) {
          case "mean" -> dataset.over("time").mean().block();
          case "climatology" -> dataset.groupBy("time", CalendarPart.MONTH).mean().block();
          case "quantile" -> dataset.over("time").quantile(0.9).block();
          default -> {
            DatasetReduction months = dataset.groupBy("time", CalendarPart.MONTH);
            yield months
                .mean()
                .flatMap(months::minus)
                .flatMap(each -> each.writeTo(Zarr.at(target.toString())))
                .block();
          }
        };
    double seconds = (System.nanoTime() - began) / 1e9;
    long chunks = store.chunks.get();
    double sum =
        task.equals("anomalies")
            ? Objects.requireNonNull(
                    Objects.requireNonNull(Dataset.open(Zarr.at(target.toString())).block())
                        .variable("t2m")
                        .isel("time", "0:128")
                        .map(value -> value * value)
                        .over()
                        .mean()
                        .block())
                .getDouble()
            : Objects.requireNonNull(
                    Objects.requireNonNull(result).variable("t2m").over().mean().block())
                .getDouble();
    return String.format(Locale.ROOT, "%.6f %d %d %.17g", seconds, kilobytes(), chunks, sum);
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

  /** Makes a dataset of a number of gigabytes, of copies of a few chunks with noise. */
  private static void make(Path data, double gigabytes) {
    long each = 4L * ROWS * COLUMNS * CHUNK[0];
    int times = (int) Math.max(1, Math.round(gigabytes * 1e9 / each)) * CHUNK[0];
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
    Flux.fromIterable(origins)
        .flatMap(
            origin ->
                t2m.write(
                    Selection.box(origin, new long[] {CHUNK[0], CHUNK[1], CHUNK[2]}),
                    kinds.get(
                        (int) ((origin[0] / CHUNK[0] * 5 + origin[1] / 60 + origin[2]) % KINDS))),
            4)
        .then(hierarchy.openGroup("").flatMap(group -> group.consolidate()))
        .block();
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
