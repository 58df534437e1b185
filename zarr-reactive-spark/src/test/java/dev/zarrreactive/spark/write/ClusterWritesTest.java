package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.NewVariable;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.spark.TestSpark;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors write while tasks fail and an executor ends. The stored bytes are those of a write
 * by one process, without Spark.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterWritesTest {
  private static final int HOURS = ClusterWrites.TIMES;
  private static final int LATS = ClusterWrites.LATS;
  private static final int STATIONS = ClusterWrites.STATIONS;

  @TempDir static Path directory;
  private String output = "";

  @BeforeAll
  void write() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-opens") || flag.startsWith("-Djdk.reflect"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            ClusterWrites.class.getName(),
            directory.toString()));
    Path log = directory.resolve("log.txt");
    Process driver =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(driver.waitFor(9, TimeUnit.MINUTES)).as("the driver ends").isTrue();
    } finally {
      driver.descendants().forEach(ProcessHandle::destroyForcibly);
      driver.destroyForcibly();
    }
    output = Files.readString(log);
    assertThat(FaultyStores.hasHappened(directory.resolve("halved.zarr"), Fault.HALT))
        .as("the driver ends at the fault of its last write: " + output)
        .isTrue();
    singleProcess("single.zarr", HOURS);
  }

  @AfterAll
  void end() {
    output = "";
  }

  /** Writes the same dataset by this library alone. */
  private static void singleProcess(String name, int hours) {
    long[] micros = new long[hours];
    Arrays.setAll(micros, h -> 1_577_836_800_000_000L + h * 3_600_000_000L);
    double[] lats = new double[LATS];
    Arrays.setAll(lats, l -> l);
    String[] stations = new String[STATIONS];
    Arrays.setAll(stations, s -> "s" + s);
    int[] t = new int[hours * LATS * STATIONS];
    Arrays.setAll(t, i -> i);
    float[] heights = new float[LATS * STATIONS];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = i / STATIONS + i % STATIONS / 16f;
    }
    UnaryOperator<NewVariable> height = h -> h.missing(Double.NaN).chunkShape(5, 5);
    await(
        Dataset.builder()
            .attribute("title", "heights")
            .coordinate(
                "time",
                NdArray.ofLongs(
                    DataTypes.datetime64(NumpyUnit.MICROSECOND, 1), Shape.of(hours), micros))
            .coordinate("lat", NdArray.ofDoubles(Shape.of(LATS), lats))
            .coordinate(
                "station", NdArray.ofStrings(DataTypes.STRING, Shape.of(STATIONS), stations))
            .variable(
                "t",
                List.of("time", "lat", "station"),
                NdArray.ofInts(DataTypes.INT32, Shape.of(hours, LATS, STATIONS), t),
                v -> v.chunkShape(2, 2, 5).shardShape(8, 4, 10))
            .variable(
                "height",
                List.of("lat", "station"),
                NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(LATS, STATIONS), heights),
                height)
            .write(directory.resolve(name).toString()));
  }

  /** Returns the files below a directory, with their bytes as text. */
  private static Map<String, String> files(String name) throws IOException {
    Map<String, String> files = new TreeMap<>();
    Path top = directory.resolve(name);
    try (var all = Files.walk(top)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(top.relativize(file).toString(), Arrays.toString(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  private void assertIsLikeSingleProcess(String name) throws IOException {
    Map<String, String> expected = files("single.zarr");
    Map<String, String> found = files(name + ".zarr");
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach((file, bytes) -> assertThat(found.get(file)).as(file).isEqualTo(bytes));
  }

  @Test
  void tasks_that_fail_before_the_shuffle_leave_the_bytes_of_one_process() throws Exception {
    assertThat(directory.resolve("udf.happened")).exists();
    assertIsLikeSingleProcess("udf");
  }

  @Test
  void a_task_that_fails_after_it_has_stored_a_shard_leaves_the_bytes_of_one_process()
      throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("FAIL.zarr"), Fault.FAIL)).isTrue();
    assertIsLikeSingleProcess("FAIL");
  }

  @Test
  void an_executor_that_ends_after_it_has_stored_a_shard_leaves_the_bytes_of_one_process()
      throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("HALT.zarr"), Fault.HALT)).isTrue();
    assertThat(output).contains("Lost executor");
    assertIsLikeSingleProcess("HALT");
  }

  @Test
  void an_append_whose_executor_ends_has_the_cells_of_both_writes() throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("append.zarr"), Fault.HALT)).isTrue();
    Map<String, String> expected = files("single.zarr");
    Map<String, String> found = files("append.zarr");
    expected.forEach(
        (file, bytes) -> {
          if (file.startsWith("t/") || file.startsWith("height/")) {
            assertThat(found.get(file)).as(file).isEqualTo(bytes);
          }
        });
    assertHasBothWrites("append.zarr");
  }

  private static void assertHasBothWrites(String name) throws IOException {
    assertThat(files(name).keySet()).noneMatch(file -> file.contains("partial"));
    assertThat(values(name, "time").toLongArray())
        .isEqualTo(values("single.zarr", "time").toLongArray());
    assertThat(values(name, "t").toIntArray()).isEqualTo(values("single.zarr", "t").toIntArray());
  }

  private static NdArray values(String name, String variable) {
    Dataset dataset = requireNonNull(await(Dataset.open(at(name))));
    return requireNonNull(await(dataset.variable(variable).read()));
  }

  @Test
  void resume_mends_an_append_whose_driver_ended_when_one_of_two_arrays_was_longer()
      throws Exception {
    assertThat(hours("t")).isEqualTo(HOURS);
    assertThat(hours("time")).isEqualTo(13);
    ClusterWrites.append(
        ClusterWrites.cells(TestSpark.session(), 13, HOURS), at("halved.zarr"), true);
    assertHasBothWrites("halved.zarr");
  }

  private static long hours(String array) {
    return requireNonNull(await(Zarr.openArray(at("halved.zarr/" + array)))).shape().extent(0);
  }

  private static String at(String name) {
    return directory.resolve(name).toString();
  }
}
