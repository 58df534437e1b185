package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

/**
 * The figures of {@code docs/spark.md}: medians of rounds in turns, over stores in memory. It
 * checks values, never times.
 */
@EnabledIfSystemProperty(
    named = "zarr.spark.figures",
    matches = "true",
    disabledReason = "figures are for a quiet machine: -Dzarr.spark.figures=true")
class SparkFiguresTest {
  private static final int TIMES = 96;
  private static final int SIDE = 512;
  private static final int MORE = 6;
  private static final long CELLS = (long) TIMES * SIDE * SIDE;
  private static final int ROUNDS = Integer.getInteger("zarr.spark.rounds", 9);
  private static final int SPLIT = Integer.getInteger("zarr.spark.split-bytes", 8 << 20);
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private final SparkSession spark =
      SparkSession.builder()
          .master("local[" + CORES + "]")
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "localhost")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", "1")
          .getOrCreate();

  private static void write() {
    ZarrGroup group = requireNonNull(await(Zarr.createGroup("memory:figures")));
    float[] values = new float[(int) CELLS];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (Math.round(1000 * Math.sin(i * 1e-4)) / 8.0) + i % 7;
    }
    Shape shape = Shape.of(TIMES, SIDE, SIDE);
    NdArray data = NdArray.ofFloats(DataTypes.FLOAT32, shape, values);
    ArrayMetadataBuilder plain =
        ArrayMetadata.v3(shape, DataTypes.FLOAT32)
            .chunkShape(4, SIDE, SIDE)
            .dimensionNames("time", "y", "x");
    create(group, "t", plain.compressors(Codecs.zstd(3)), data);
    ArrayMetadataBuilder large =
        ArrayMetadata.v3(Shape.of(MORE * TIMES, SIDE, SIDE), DataTypes.FLOAT32)
            .chunkShape(4, SIDE, SIDE)
            .dimensionNames("more", "y", "x")
            .uncompressed();
    ZarrArray raw = requireNonNull(await(group.createArray("raw", large.build())));
    for (int i = 0; i < MORE; i++) {
      await(raw.write(Selection.parse(i * TIMES + ":" + (i + 1) * TIMES), data));
    }
    for (String name : List.of("y", "x")) {
      double[] labels = new double[SIDE];
      Arrays.setAll(labels, i -> i / 4.0);
      create(
          group,
          name,
          ArrayMetadata.v3(Shape.of(SIDE), DataTypes.FLOAT64).dimensionNames(name),
          NdArray.ofDoubles(Shape.of(SIDE), labels));
    }
  }

  private static void create(
      ZarrGroup group, String name, ArrayMetadataBuilder metadata, NdArray values) {
    await(
        group
            .createArray(name, metadata.build())
            .flatMap(array -> array.write(Selection.all(), values)));
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
  private static long batches(String variable, boolean withCoordinates) throws Exception {
    Map<String, String> options =
        Map.of("path", "memory:figures", "variables", variable, "split-bytes", "" + SPLIT);
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

  private static double seconds(Callable<Long> work, long expected) throws Exception {
    long start = System.nanoTime();
    assertThat(work.call()).isEqualTo(expected);
    return (System.nanoTime() - start) / 1e9;
  }

  private long counted(Dataset<Row> rows, String aggregates) {
    return rows.selectExpr(aggregates.split(";")).collectAsList().get(0).getLong(0);
  }

  @Test
  void figures_are_measured_in_turns() throws Exception {
    write();
    ZarrArray array =
        requireNonNull(
            await(Zarr.openGroup("memory:figures").flatMap(group -> group.openArray("t"))));
    String rows = RowReaderSource.class.getName();
    Map<String, Callable<Long>> works = new LinkedHashMap<>();
    works.put("direct decode", () -> direct(array));
    works.put("batches", () -> batches("t", false));
    works.put("batches with coordinates", () -> batches("t", true));
    works.put("sum(t), columnar", () -> counted(cells("zarr", "t"), "count(t);sum(t)"));
    works.put("sum(t), row reader", () -> counted(cells(rows, "t"), "count(t);sum(t)"));
    works.put(
        "sum(t * y * x), columnar", () -> counted(cells("zarr", "t"), "count(t);sum(t * y * x)"));
    works.put(
        "sum(t * y * x), row reader", () -> counted(cells(rows, "t"), "count(t);sum(t * y * x)"));
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
                / Float.BYTES
                / MORE);
    String only = System.getProperty("zarr.spark.figure", "");
    works.keySet().removeIf(name -> !only.isEmpty() && !name.matches(only));
    Map<String, double[]> times = new LinkedHashMap<>();
    for (int round = -3; round < ROUNDS; round++) {
      for (var work : works.entrySet()) {
        double time = seconds(work.getValue(), CELLS);
        if (round >= 0) {
          times.computeIfAbsent(work.getKey(), name -> new double[ROUNDS])[round] = time;
        }
      }
    }
    System.out.printf("%d cores, %.0f MB of float32%n", CORES, CELLS * 4 / 1e6);
    times.forEach(
        (name, all) -> {
          Arrays.sort(all);
          double median = all[all.length / 2];
          double bytes = CELLS * 4.0 * (name.equals("chunk rows") ? MORE : 1);
          System.out.printf("%-28s %6.3f s %6.2f GB/s%n", name, median, bytes / 1e9 / median);
        });
  }

  @Test
  void a_million_chunks_are_planned() throws Exception {
    Map<String, String> options = Map.of("path", "memory:million");
    await(
        Zarr.createArray(
            "memory:million",
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
