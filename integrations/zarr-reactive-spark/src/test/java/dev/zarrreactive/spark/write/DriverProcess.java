package dev.zarrreactive.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the driver of a cluster in a JVM of its own, with the class path of the tests. */
final class DriverProcess {
  private DriverProcess() {}

  /** Runs a class, waits for its end, and returns what it and the cluster have printed. */
  static String run(Class<?> driver, Path directory) throws Exception {
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
            driver.getName(),
            directory.toString()));
    Path log = directory.resolve("log.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(9, TimeUnit.MINUTES))
          .as("the driver ends: " + Files.readString(log))
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return Files.readString(log);
  }
}
