package dev.zarrreactive.spark.write;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.spark.write.FaultyStores.Fault;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark starts a second attempt of a task that waits, on another host, and both attempts store the
 * same shard. The stored bytes are those of a write by one process.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "a cluster of Spark needs a Unix")
@Slow
class SpeculativeWritesTest {
  private static final Pattern ATTEMPT =
      Pattern.compile("(?m)^attempt of (\\w+) task (\\S+) (first|speculative) on (\\S+)$");

  @TempDir static Path directory;
  private String output = "";

  @BeforeAll
  void write() throws Exception {
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
    for (String host : SpeculativeWrites.HOSTS) {
      assumeTrue(isOwn(host), "two hosts of a cluster need the address " + host);
    }
    output = DriverProcess.run(SpeculativeWrites.class, directory);
    OneProcess.write(directory.resolve("single.zarr"), ClusterWrites.TIMES);
  }

  private static boolean isOwn(String address) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void two_attempts_that_store_a_shard_leave_the_bytes_of_one_process() throws Exception {
    assertHasTwoAttempts("new", SpeculativeWrites.FAULTS.keySet());
    OneProcess.assertAreLike(directory.resolve("single.zarr"), directory.resolve("new.zarr"));
  }

  @Test
  void two_attempts_of_an_append_leave_the_cells_of_both_writes() throws Exception {
    assertHasTwoAttempts("append", Set.of(Fault.TOGETHER));
    Map<String, String> expected = OneProcess.files(directory.resolve("single.zarr"));
    Map<String, String> found = OneProcess.files(directory.resolve("append.zarr"));
    assertThat(found.keySet()).noneMatch(file -> file.contains("partial"));
    expected.forEach(
        (file, bytes) -> {
          if (file.startsWith("t/") || file.startsWith("height/")) {
            assertThat(found.get(file)).as(file).isEqualTo(bytes);
          }
        });
    assertThat(times("append.zarr")).isEqualTo(times("single.zarr"));
  }

  @Test
  void two_attempts_of_a_task_are_in_one_commit_to_a_repository_once() {
    assertIsOneCommit("repository", "all");
  }

  @Test
  void two_attempts_of_a_task_of_a_stream_are_in_the_commit_of_its_batch_once() {
    assertIsOneCommit("stream", "a batch");
  }

  private void assertIsOneCommit(String write, String message) {
    Path repository = directory.resolve(write + ".zarr");
    assertThat(FaultyStores.hasHappened(repository, Fault.SLOW)).as(output).isTrue();
    assertThat(FaultyStores.wasStoredAgain(repository, Fault.SLOW)).as(output).isTrue();
    assertHasTwoAttempts(write, Set.of());
    OneProcess.assertHasCommits(directory.resolve("single.zarr"), repository, message);
  }

  private static long[] times(String name) {
    Dataset dataset =
        requireNonNull(await(Dataset.open(Zarr.at(directory.resolve(name).toString()))));
    return requireNonNull(await(dataset.variable("time").read())).toLongArray();
  }

  /** Asserts that a task had an attempt on each host, and that both came to the shard. */
  private void assertHasTwoAttempts(String write, Set<Fault> faults) {
    Path store = directory.resolve(write + ".zarr");
    for (Fault fault : faults) {
      assertThat(FaultyStores.hasHappened(store, fault)).as(fault + ": " + output).isTrue();
      assertThat(FaultyStores.wasStoredAgain(store, fault)).as(fault + ": " + output).isTrue();
    }
    Map<String, String> first = new HashMap<>();
    Map<String, String> second = new HashMap<>();
    Matcher attempts = ATTEMPT.matcher(output);
    while (attempts.find()) {
      if (attempts.group(1).equals(write)) {
        (attempts.group(3).equals("first") ? first : second)
            .put(attempts.group(2), attempts.group(4));
      }
    }
    assertThat(second).as(output).isNotEmpty();
    second.forEach(
        (task, host) ->
            assertThat(SpeculativeWrites.HOSTS)
                .containsExactlyInAnyOrder(requireNonNull(first.get(task)), host));
  }
}
