package dev.zarrreactive.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.testing.Slow;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors write to a branch of a repository while tasks fail, an executor ends, and the
 * answer to a commit is lost. Each write is one commit with the values of one process.
 */
@Slow
class RepositoryClusterWritesTest {
  @TempDir Path directory;

  @Test
  void each_write_is_one_commit_with_the_values_of_one_process() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    String output = DriverProcess.run(RepositoryClusterWrites.class, directory);
    Path repository = directory.resolve("repository.zarr");
    for (Fault fault : new Fault[] {Fault.HALT, Fault.FAIL, Fault.SECOND}) {
      assertThat(FaultyStores.hasHappened(repository, fault)).as(fault + ": " + output).isTrue();
    }
    assertThat(output).contains("Lost executor");
    assertThat(directory.resolve("udf.happened")).exists();
    OneProcess.write(directory.resolve("single.zarr"), ClusterWrites.TIMES);
    OneProcess.assertHasCommits(
        directory.resolve("single.zarr"), repository, "the first again", "the others", "13 hours");
  }
}
