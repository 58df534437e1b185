package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hostile bytes cost a clear error, and neither memory nor time: all cases, in a JVM of 256 MiB.
 */
class BadCasesInSmallHeapTest {
  private static final int MINUTES = 10;

  @TempDir Path directory;

  @Test
  void every_malformed_case_is_refused_with_256_mib() throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(BadCasesInSmallHeap.command())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("ends in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(output);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    Map<String, Integer> figures = figures(lines);
    System.out.printf(
        "Malformed cases in a small heap: %s, %,d ms%n",
        figures, (System.nanoTime() - start) / 1_000_000);
    assertThat(figures.get("wrong")).as(String.join("\n", lines)).isZero();
    assertThat(figures.get("refused") + figures.get("accepted")).isEqualTo(Fixtures.bad().size());
    assertThat(figures.get("refused")).isGreaterThan(250);
    assertThat(figures.get("heap_mib")).isLessThanOrEqualTo(256);
  }

  private static Map<String, Integer> figures(List<String> lines) {
    Map<String, Integer> figures = new HashMap<>();
    for (String line : lines) {
      if (line.matches("\\w+=\\d+")) {
        String[] figure = line.split("=");
        figures.put(figure[0], Integer.valueOf(figure[1]));
      }
    }
    return figures;
  }
}
