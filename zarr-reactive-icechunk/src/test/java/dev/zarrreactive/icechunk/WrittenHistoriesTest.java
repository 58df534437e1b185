package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories that sessions write are what a naive model says, at each change, each commit and
 * each snapshot; where a Python with icechunk is found, see {@link RandomHistoriesByPythonTest}, it
 * reads them, too.
 */
class WrittenHistoriesTest {
  private static final int SECONDS = 540;
  private static final String SCRIPT = "read_repositories.py";

  @Sampled
  @TestFactory
  Stream<DynamicTest> a_written_history_is_read_as_the_model_says() {
    return java.util.stream.IntStream.range(0, Cases.some(8, 200))
        .mapToObj(
            seed ->
                DynamicTest.dynamicTest(
                    "seed " + seed,
                    () -> {
                      WrittenHistory history = new WrittenHistory(MemoryStore.create(), seed);
                      history.write(12);
                      history.checkAll();
                    }));
  }

  @Sampled
  @Test
  void python_reads_a_written_history_at_each_snapshot(@TempDir Path directory)
      throws IOException, InterruptedException {
    String python = PythonInterpreter.find();
    assumeTrue(
        python != null,
        "no Python with icechunk was found, so that it reads no written history; name one with"
            + " -DICECHUNK_PYTHON=/path/to/python");
    for (int seed = 0; seed < Cases.some(8, 200); seed++) {
      Path place = directory.resolve("seed-" + seed);
      WrittenHistory history = new WrittenHistory(FileSystemStore.open(place), seed);
      history.write(12);
      Files.writeString(directory.resolve("seed-" + seed + ".json"), history.answers().toString());
    }
    Path script = directory.resolve(SCRIPT);
    try (InputStream in = WrittenHistoriesTest.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    Path log = directory.resolve("log.txt");
    Process process =
        new ProcessBuilder(List.of(python, script.toString(), directory.toString()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(() -> read(log)).isZero();
    assertThat(read(log)).contains("all is equal");
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
