package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What a program prints that runs in a JVM of its own: figures, each a line of name and value. */
public final class JvmFigures {
  private JvmFigures() {}

  /** Runs a program with a heap of 128 MiB, which suffices; fails where it does. */
  public static Map<String, Long> of(Class<?> program) throws IOException, InterruptedException {
    return of(program, List.of("-Xmx128m", "-XX:+ExitOnOutOfMemoryError"), 90);
  }

  /** Runs a program; fails where it does, or where it does not end in time. */
  public static Map<String, Long> of(
      Class<?> program, List<String> options, int seconds, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS).execute(process::destroyForcibly);
    Map<String, Long> figures = new LinkedHashMap<>();
    List<String> other = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] figure = line.split("=", -1);
        if (figure.length == 2 && figure[1].matches("-?[0-9]+")) {
          figures.put(figure[0], Long.valueOf(figure[1]));
        } else {
          other.add(line);
        }
      }
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(String.join("\n", other)).isZero();
    return figures;
  }

  /** The name and the value, in the program. */
  public static void print(String figure, long value) {
    System.out.println(figure + "=" + value);
  }
}
