package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example and the package of Python run in PySpark, where PyPI's is installed, with the jar as
 * a package.
 */
@Slow
class PySparkJarIT {
  private static final String PACKAGE = "dev.zarrreactive:zarr-reactive-spark:0.1.0-SNAPSHOT";

  @TempDir Path directory;

  private static String python() {
    String chosen = System.getProperty("ZARR_PYTHON", System.getenv("ZARR_PYTHON"));
    return chosen == null || chosen.isEmpty() ? "python3" : chosen;
  }

  private String run(Map<String, String> environment, List<String> command) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return "no python: " + e.getMessage();
    }
    boolean ended = process.waitFor(9, TimeUnit.MINUTES);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    return (ended && process.exitValue() == 0 ? "" : "failed: ") + printed;
  }

  /**
   * Puts the jar where Spark looks for packages first, without the parent of its description, whose
   * lists of versions would be fetched.
   */
  private void offer(Path home) throws IOException {
    Path jar = Path.of(System.getProperty("zarr.spark.jar"));
    Path repository =
        home.resolve(".m2/repository/dev/zarrreactive/zarr-reactive-spark/0.1.0-SNAPSHOT");
    Files.createDirectories(repository);
    Files.copy(jar, repository.resolve("zarr-reactive-spark-0.1.0-SNAPSHOT.jar"));
    String described = Files.readString(Path.of("dependency-reduced-pom.xml"));
    assertThat(described).contains("<parent>");
    Files.writeString(
        repository.resolve("zarr-reactive-spark-0.1.0-SNAPSHOT.pom"),
        described
            .replaceFirst(
                "(?s)<parent>.*?</parent>",
                "<groupId>dev.zarrreactive</groupId><version>0.1.0-SNAPSHOT</version>")
            .replaceFirst("(?s)<build>.*</build>", ""));
  }

  /** Runs a program of Python in a session that has the jar as a package. */
  private String withPackage(String... arguments) throws Exception {
    assumeTrue(
        !System.getProperty("zarr.spark.jar", "").isEmpty(), "the jar is made by mvn verify");
    String version =
        run(Map.of(), List.of(python(), "-c", "import pyspark; print(pyspark.__version__)"))
            .strip();
    assumeTrue(
        version.matches("\\d+\\.\\d+\\.\\d+"),
        () -> "no pyspark in " + python() + "; name a Python with it by -DZARR_PYTHON: " + version);
    Path home = directory.resolve("home");
    offer(home);
    List<String> command = new ArrayList<>(List.of(python()));
    command.addAll(List.of(arguments));
    return run(
        Map.of(
            "PYSPARK_PYTHON",
            python(),
            "PYTHONPATH",
            Path.of("python").toAbsolutePath().toString(),
            "SPARK_LOCAL_IP",
            "127.0.0.1",
            "JAVA_HOME",
            System.getProperty("java.home"),
            "PYSPARK_SUBMIT_ARGS",
            "--master local[2] --packages "
                + PACKAGE
                + " --conf spark.ui.enabled=false --conf spark.jars.ivy="
                + directory.resolve("ivy")
                + " --driver-java-options -Duser.home="
                + home
                + " pyspark-shell"),
        command);
  }

  @Test
  void the_tests_of_the_python_package_pass() throws Exception {
    String modules = "import numpy, pandas, pyarrow; print('all')";
    assumeTrue(
        run(Map.of(), List.of(python(), "-c", modules)).strip().equals("all"),
        () -> "no numpy, pandas or pyarrow in " + python() + "; name another by -DZARR_PYTHON");
    String printed =
        withPackage(
            Path.of("python", "tests", "test_zarr_reactive_spark.py").toAbsolutePath().toString());
    assertThat(printed).doesNotStartWith("failed").contains("Ran 8 tests").contains("OK");
  }

  @Test
  void the_example_of_a_notebook_runs() throws Exception {
    Path data = directory.resolve("w.zarr");
    Weather.write(data);
    String printed =
        withPackage(
            Path.of("examples", "notebook.py").toAbsolutePath().toString(), data.toString());
    int sum = 0;
    for (int t = 0; t < 5; t++) {
      for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 3; x++) {
          sum += Weather.value(t, y, x);
        }
      }
    }
    assertThat(printed)
        .doesNotStartWith("failed")
        .contains("rows 1200 of 2880")
        .contains("stations 10")
        .contains("first 2020-01-01 00:00:00 north 60.0")
        .contains("chunk [5, 4, 3] sum " + sum)
        .contains("arrays 5");
  }
}
