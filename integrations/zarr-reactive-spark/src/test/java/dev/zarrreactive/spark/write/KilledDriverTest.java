package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The driver ends at once when it has stored a file of its commit. Before the info of the
 * repository is replaced there is no commit, and the same write makes it then; after that it is
 * there whole.
 */
@Slow
class KilledDriverTest {
  @TempDir Path directory;

  private List<String> messages() {
    return await(
        Icechunk.open(FileSystemStore.open(directory.resolve("repository.zarr")))
            .flatMapMany(repository -> repository.history(IcechunkVersion.MAIN))
            .map(IcechunkSnapshot::message));
  }

  /** Runs the driver, which ends when it has stored a file at such a key. */
  private void runUntil(String key) throws Exception {
    Path repository = directory.resolve("repository.zarr");
    Files.deleteIfExists(
        directory.resolve("repository.zarr.faults").resolve(Fault.HALT + ".happened"));
    FaultyStores.plan(repository, Fault.HALT, key);
    String output = DriverProcess.run(KilledDriver.class, directory);
    assertThat(FaultyStores.hasHappened(repository, Fault.HALT)).as(key + ": " + output).isTrue();
  }

  @Test
  void a_driver_that_ends_in_a_commit_leaves_all_of_it_or_nothing() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    ClusterWrites.repository(directory, "repository");
    runUntil("snapshots/*");
    assertThat(messages()).containsExactly("Repository initialized");
    runUntil("repo");
    assertThat(messages()).containsExactly("13 hours", "Repository initialized");
    runUntil("transactions/*");
    assertThat(messages()).containsExactly("13 hours", "Repository initialized");
    DriverProcess.run(KilledDriver.class, directory);
    OneProcess.write(directory.resolve("single.zarr"), ClusterWrites.TIMES);
    OneProcess.assertHasCommits(
        directory.resolve("single.zarr"),
        directory.resolve("repository.zarr"),
        "the others",
        "13 hours");
  }
}
