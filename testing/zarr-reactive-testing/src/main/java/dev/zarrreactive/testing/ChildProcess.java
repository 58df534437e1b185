package dev.zarrreactive.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Another JVM with the class path of this one. */
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;

  private ChildProcess(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts the program of a class; properties {@code zarr.} are handed on. */
  public static ChildProcess start(Class<?> program, String... arguments) {
    return start(program, Map.of(), arguments);
  }

  /** Starts the program of a class with more variables in its environment. */
  public static ChildProcess start(
      Class<?> program, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith("zarr."))
        .forEach(name -> command.add("-D" + name + "=" + System.getProperty(name)));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().putAll(environment);
      return new ChildProcess(builder.start());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The next line that the process prints; null after the last one. */
  public @Nullable String line() {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Lets a process go on that reads its standard input. */
  public void go() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Kills the process, as a crash would (SIGKILL), and waits until it is dead. */
  public void kill() {
    process.toHandle().destroyForcibly(); // leaves the pipe open, whose lines are still to be read
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
