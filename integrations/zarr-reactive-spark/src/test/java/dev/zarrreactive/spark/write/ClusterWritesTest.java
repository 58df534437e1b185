package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.spark.TestSpark;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
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
@Slow
class ClusterWritesTest {
  private static final int HOURS = ClusterWrites.TIMES;

  @TempDir static Path directory;
  private String output = "";

  @BeforeAll
  void write() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    output = DriverProcess.run(ClusterWrites.class, directory);
    assertThat(FaultyStores.hasHappened(directory.resolve("halved.zarr"), Fault.HALT))
        .as("the driver ends at the fault of its last write: " + output)
        .isTrue();
    OneProcess.write(directory.resolve("single.zarr"), HOURS);
  }

  @AfterAll
  void end() {
    output = "";
  }

  @Test
  void tasks_that_fail_before_the_shuffle_leave_the_bytes_of_one_process() throws Exception {
    assertThat(directory.resolve("udf.happened")).exists();
    OneProcess.assertAreLike(directory.resolve("single.zarr"), directory.resolve("udf.zarr"));
  }

  @Test
  void a_task_that_fails_after_it_has_stored_a_shard_leaves_the_bytes_of_one_process()
      throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("FAIL.zarr"), Fault.FAIL)).isTrue();
    OneProcess.assertAreLike(directory.resolve("single.zarr"), directory.resolve("FAIL.zarr"));
  }

  @Test
  void an_executor_that_ends_after_it_has_stored_a_shard_leaves_the_bytes_of_one_process()
      throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("HALT.zarr"), Fault.HALT)).isTrue();
    assertThat(output).contains("Lost executor");
    OneProcess.assertAreLike(directory.resolve("single.zarr"), directory.resolve("HALT.zarr"));
  }

  @Test
  void an_append_whose_executor_ends_has_the_cells_of_both_writes() throws Exception {
    assertThat(FaultyStores.hasHappened(directory.resolve("append.zarr"), Fault.HALT)).isTrue();
    Map<String, String> expected = OneProcess.files(directory.resolve("single.zarr"));
    Map<String, String> found = OneProcess.files(directory.resolve("append.zarr"));
    expected.forEach(
        (file, bytes) -> {
          if (file.startsWith("t/") || file.startsWith("height/")) {
            assertThat(found.get(file)).as(file).isEqualTo(bytes);
          }
        });
    assertHasBothWrites("append.zarr");
  }

  private static void assertHasBothWrites(String name) throws IOException {
    assertThat(OneProcess.files(directory.resolve(name)).keySet())
        .noneMatch(file -> file.contains("partial"));
    assertThat(values(name, "time").toLongArray())
        .isEqualTo(values("single.zarr", "time").toLongArray());
    assertThat(values(name, "t").toIntArray()).isEqualTo(values("single.zarr", "t").toIntArray());
  }

  private static NdArray values(String name, String variable) {
    Dataset dataset = requireNonNull(await(Dataset.open(Zarr.at(at(name)))));
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
    return requireNonNull(await(Zarr.at(at("halved.zarr/" + array)).openArray())).shape().extent(0);
  }

  private static String at(String name) {
    return directory.resolve(name).toString();
  }
}
