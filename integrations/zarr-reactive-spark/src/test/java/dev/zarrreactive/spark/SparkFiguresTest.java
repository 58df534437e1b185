package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The figures of {@code docs/spark.md}: medians of rounds in turns, over stores in memory. It
 * checks values, never times.
 */
@EnabledIfSystemProperty(
    named = "zarr.spark.figures",
    matches = "true",
    disabledReason = "figures are for a quiet machine: -Dzarr.spark.figures=true")
class SparkFiguresTest {
  private static final int PART = 96;
  private static final int PARTS = Integer.getInteger("zarr.spark.parts", 10);
  private static final int SIDE = 512;
  private static final int DEPTH = 4;
  private static final long CELLS = (long) PARTS * PART * SIDE * SIDE;
  private static final int ROUNDS = Integer.getInteger("zarr.spark.rounds", 5);
  private static final int SPLIT = Integer.getInteger("zarr.spark.split-bytes", 128 << 20);
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final SparkSession spark =
      SparkSession.builder()
          .master("local[" + CORES + "]")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "localhost")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", "1")
          .getOrCreate();

  /** Work that counts cells. */
  private record Measured(long cells, Callable<Long> work) {}

  /** The time of a clock, and that of all cores together. */
  private record Times(double seconds, double ofCores) {}

  private static void write() {
    ZarrGroup group = requireNonNull(await(Zarr.at("memory:figures").createGroup()));
    float[] values = new float[PART * SIDE * SIDE];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.round(1000 * Math.sin(i * 1e-4)) / 8.0) + i % 7;
    }
    Shape shape = Shape.of(PARTS * PART, SIDE, SIDE);
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(PART, SIDE, SIDE), values);
    ArrayMetadataBuilder chunks =
        ArrayMetadata.v3(shape, DataTypes.FLOAT32)
            .chunkShape(DEPTH, SIDE, SIDE)
            .dimensionNames("time", "y", "x");
    ArrayMetadata zstd = chunks.compressors(Codecs.zstd(3)).build();
    ArrayMetadata raw = chunks.uncompressed().build();
    for (var of : Map.of("t", zstd, "raw", raw).entrySet()) {
      ZarrArray array = requireNonNull(await(group.createArray(of.getKey(), of.getValue())));
      for (int i = 0; i < PARTS; i++) {
        await(array.write(Selection.parse(i * PART + ":" + (i + 1) * PART), data));
      }
    }
    for (String name : List.of("y", "x")) {
      double[] labels = new double[SIDE];
      Arrays.setAll(labels, i -> i / 4.0);
      ArrayMetadata label =
          ArrayMetadata.v3(Shape.of(SIDE), DataTypes.FLOAT64).dimensionNames(name).build();
      await(
          group
              .createArray(name, label)
              .flatMap(
                  array ->
                      array.write(Selection.all(), NdArray.ofDoubles(Shape.of(SIDE), labels))));
    }
  }

  private Dataset<Row> cells(String format, String variable) {
    return spark
        .read()
        .format(format)
        .option("variables", variable)
        .option("split-bytes", SPLIT)
        .load("memory:figures");
  }

  /** Reads the batches of a table outside of Spark's engine, on all cores. */
  private static long batches(String select, boolean withCoordinates) throws Exception {
    String variable = "t";
    Map<String, String> options =
        Map.of(
            "path",
            "memory:figures",
            "variables",
            variable,
            "split-bytes",
            "" + SPLIT,
            "select",
            select);
    ZarrDataSource source = new ZarrDataSource();
    StructType schema = source.inferSchema(new CaseInsensitiveStringMap(options));
    CellTable table =
        (CellTable)
            source.getTable(
                schema, new org.apache.spark.sql.connector.expressions.Transform[0], options);
    var builder = table.newScanBuilder(new CaseInsensitiveStringMap(Map.of()));
    ((SupportsPushDownRequiredColumns) builder)
        .pruneColumns(
            withCoordinates
                ? schema
                : new StructType().add(schema.fields()[schema.fieldIndex(variable)]));
    Batch batch = builder.build().toBatch();
    PartitionReaderFactory factory = batch.createReaderFactory();
    return each(
        Arrays.asList(batch.planInputPartitions()),
        partition -> {
          long rows = 0;
          try (PartitionReader<ColumnarBatch> reader = factory.createColumnarReader(partition)) {
            while (reader.next()) {
              rows += reader.get().numRows();
            }
          }
          return rows;
        });
  }

  private interface Work<T> {
    long of(T part) throws Exception;
  }

  /** Does work on as many threads as there are cores, as tasks of Spark would. */
  private static <T> long each(List<T> parts, Work<T> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CORES);
    try {
      long sum = 0;
      List<Callable<Long>> all =
          parts.stream().map(part -> (Callable<Long>) () -> work.of(part)).toList();
      for (var result : threads.invokeAll(all)) {
        sum += result.get();
      }
      return sum;
    } finally {
      threads.shutdown();
    }
  }

  /** Decodes the chunks of a variable as the library does, without a table. */
  private static long direct(ZarrArray array) {
    return requireNonNull(
        await(
            array
                .chunks(Selection.all())
                .reduce(
                    0L, (sum, chunk) -> sum + chunk.data().shape().elementCountUpTo(1L << 40))));
  }

  /** Decodes the chunks on as many threads as there are cores, each a chunk at a time. */
  private static long directOnEachCore(ZarrArray array) throws Exception {
    return each(
        IntStream.range(0, PARTS * PART / DEPTH).boxed().toList(),
        chunk ->
            requireNonNull(await(array.readChunk(chunk, 0, 0))).shape().elementCountUpTo(1L << 40));
  }

  private static Times time(Measured measured) throws Exception {
    var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long startOfCores = process.getProcessCpuTime();
    assertThat(measured.work.call()).isEqualTo(measured.cells);
    return new Times(
        (System.nanoTime() - start) / 1e9, (process.getProcessCpuTime() - startOfCores) / 1e9);
  }

  private long counted(Dataset<Row> rows, String aggregates) {
    return rows.selectExpr(aggregates.split(";")).collectAsList().get(0).getLong(0);
  }

  private Map<String, Measured> works(ZarrArray array) {
    Map<String, Callable<Long>> works = new LinkedHashMap<>();
    works.put("direct decode", () -> direct(array));
    works.put("direct decode on each core", () -> directOnEachCore(array));
    works.put("batches", () -> batches("", false));
    works.put("batches with coordinates", () -> batches("", true));
    Map<String, String> sources =
        Map.of(
            "zarr",
            "columnar",
            RowReaderSource.class.getName(),
            "row reader",
            HeldBatchesSource.class.getName(),
            "Spark alone");
    for (String sum : List.of("sum(t)", "sum(t * y * x)")) {
      sources.forEach(
          (source, name) ->
              works.put(sum + ", " + name, () -> counted(cells(source, "t"), "count(t);" + sum)));
    }
    works.put(
        "chunk rows",
        () ->
            spark
                    .read()
                    .format("zarr")
                    .option("mode", "chunks")
                    .option("variables", "raw")
                    .option("split-bytes", 32 << 20)
                    .load("memory:figures")
                    .selectExpr("sum(length(data))")
                    .collectAsList()
                    .get(0)
                    .getLong(0)
                / Float.BYTES);
    Map<String, Measured> all = new LinkedHashMap<>();
    works.forEach((name, work) -> all.put(name, new Measured(CELLS, work)));
    all.put(
        "batches of one chunk",
        new Measured((long) DEPTH * SIDE * SIDE, () -> batches("0:" + DEPTH, true)));
    return all;
  }

  @Test
  void figures_are_measured_in_turns() throws Exception {
    write();
    ZarrArray array =
        requireNonNull(
            await(Zarr.at("memory:figures").openGroup().flatMap(group -> group.openArray("t"))));
    Map<String, Measured> works = works(array);
    String only = System.getProperty("zarr.spark.figure", "");
    works.keySet().removeIf(name -> !only.isEmpty() && !name.matches(only));
    Map<String, List<Times>> times = new LinkedHashMap<>();
    for (int round = -3; round < ROUNDS; round++) {
      for (var work : works.entrySet()) {
        Times time = time(work.getValue());
        if (round >= 0) {
          times.computeIfAbsent(work.getKey(), name -> new ArrayList<>()).add(time);
        }
      }
    }
    System.out.printf("%d cores, %.0f MB of float32%n", CORES, CELLS * 4 / 1e6);
    times.forEach(
        (name, all) -> {
          double seconds = median(all, Times::seconds);
          System.out.printf(
              "%-28s %6.3f s %6.2f GB/s, %6.3f s of cores%n",
              name,
              seconds,
              works.get(name).cells * 4.0 / 1e9 / seconds,
              median(all, Times::ofCores));
        });
  }

  private static double median(List<Times> times, ToDoubleFunction<Times> part) {
    double[] all = times.stream().mapToDouble(part).sorted().toArray();
    return all[all.length / 2];
  }

  @ParameterizedTest
  @ValueSource(longs = {128 << 20, 1})
  void a_million_chunks_are_planned(long splitBytes) throws Exception {
    Map<String, String> options =
        Map.of("path", "memory:million" + splitBytes, "split-bytes", "" + splitBytes);
    await(
        Zarr.at(options.get("path"))
            .createArray(
                ArrayMetadata.v3(Shape.of(10_000, 10_000), DataTypes.FLOAT32)
                    .chunkShape(10, 10)
                    .build()));
    var threads = ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 5; i++) {
      ZarrDataSource source = new ZarrDataSource();
      StructType schema = source.inferSchema(new CaseInsensitiveStringMap(options));
      Batch batch =
          source.getTable(
                      schema, new org.apache.spark.sql.connector.expressions.Transform[0], options)
                  instanceof CellTable table
              ? table.newScanBuilder(new CaseInsensitiveStringMap(Map.of())).build().toBatch()
              : null;
      long start = threads.getCurrentThreadCpuTime();
      InputPartition[] partitions = requireNonNull(batch).planInputPartitions();
      double seconds = (threads.getCurrentThreadCpuTime() - start) / 1e9;
      assertThat(partitions).hasSizeLessThanOrEqualTo(4096);
      System.out.printf(
          "1,000,000 chunks in %d splits: %.3f s of CPU%n", partitions.length, seconds);
    }
  }
}
