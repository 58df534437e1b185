package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories that Python's icechunk has written are read as it reads them, at each commit.
 * Needs a Python with icechunk: {@code -DICECHUNK_PYTHON=/path/to/python}, the environment variable
 * of this name, or one on the path. {@code -DICECHUNK_REPOSITORIES=/path} takes repositories that
 * the script has made before.
 */
class RandomHistoriesByPythonTest {
  private static final String INTERPRETER = "ICECHUNK_PYTHON";
  private static final String MADE = "ICECHUNK_REPOSITORIES";
  private static final String SCRIPT = "make_repositories.py";
  private static final int SECONDS = 540;

  @TempDir static Path directory;

  @Sampled
  @TestFactory
  Stream<DynamicTest> a_random_history_is_read_as_python_reads_it() throws Exception {
    String made = System.getProperty(MADE);
    if (made == null) {
      assumeTrue(
          interpreters().stream().anyMatch(RandomHistoriesByPythonTest::hasIcechunk),
          "no Python with icechunk was found, so that no random history is read; name one with"
              + " -DICECHUNK_PYTHON=/path/to/python");
      make();
    }
    PythonAnswers answers = new PythonAnswers(made == null ? directory : Path.of(made));
    List<String> names = answers.names();
    assertThat(names).isNotEmpty();
    return names.stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name, () -> assertThat(answers.check(name)).as("values read").isPositive()));
  }

  private static List<String> interpreters() {
    String chosen = System.getProperty(INTERPRETER, System.getenv(INTERPRETER));
    return chosen == null || chosen.isEmpty()
        ? List.of("python3", "python3.13", "python3.12", "python")
        : List.of(chosen);
  }

  private static boolean hasIcechunk(String python) {
    return run(List.of(python, "-c", "import icechunk, zarr, numpy"), null);
  }

  private static void make() throws IOException {
    String python =
        interpreters().stream()
            .filter(RandomHistoriesByPythonTest::hasIcechunk)
            .findFirst()
            .orElseThrow();
    Path script = directory.resolve(SCRIPT);
    try (InputStream in = RandomHistoriesByPythonTest.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    Path log = directory.resolve("log.txt");
    int seeds = Cases.some(10, 100);
    assertThat(
            run(
                List.of(python, script.toString(), directory.toString(), "random", "0", "" + seeds),
                log))
        .as(() -> "the script, whose last words are in " + log)
        .isTrue();
  }

  /** Returns true where a program ran to its end without an error. */
  private static boolean run(List<String> command, @Nullable Path log) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(
        log == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(log.toFile()));
    try {
      Process process = builder.start();
      try {
        return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
