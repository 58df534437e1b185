package dev.zarrreactive.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.testing.Slow;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors write a stream to a branch of a repository while one of them ends, an attempt
 * fails, and the driver ends between its commit and Spark's note of it. Another driver goes on from
 * the checkpoint, and each batch is one commit with the values of one process.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a cluster of Spark needs a Unix")
@Slow
class StreamClusterWritesTest {
  @TempDir Path directory;

  @Test
  void each_batch_is_one_commit_with_the_values_of_one_process() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    Path repository = directory.resolve("repository.zarr");
    String output = DriverProcess.run(StreamClusterWrites.class, directory);
    assertThat(output)
        .contains("Lost executor")
        .contains("the second batch is written")
        .doesNotContain("the last batch is written");
    for (Fault fault : new Fault[] {Fault.HALT, Fault.FAIL}) {
      assertThat(FaultyStores.hasHappened(repository, fault)).as(fault + ": " + output).isTrue();
    }
    assertThat(directory.resolve("checkpoint/offsets/2")).exists();
    assertThat(directory.resolve("checkpoint/commits/2")).doesNotExist();
    String again = DriverProcess.run(StreamClusterWrites.class, directory);
    assertThat(again).contains("the last batch is written");
    assertThat(directory.resolve("checkpoint/commits/2")).exists();
    OneProcess.write(directory.resolve("single.zarr"), ClusterWrites.TIMES);
    OneProcess.assertHasCommits(
        directory.resolve("single.zarr"), repository, "a batch", "a batch", "a batch");
  }
}
