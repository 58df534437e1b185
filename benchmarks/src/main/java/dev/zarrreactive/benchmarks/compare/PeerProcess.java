package dev.zarrreactive.benchmarks.compare;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client in a process of its own. It reads lines of a command, a location, the name of an array
 * and an argument, with tabs between, and answers each with {@code ok}, its nanoseconds and a
 * checksum of the result, with {@code unsupported} and a reason, or with {@code failed} and a
 * message. Blocking.
 */
final class PeerProcess implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 300;
  private static final int MOST_CHARACTERS = 100;
  private static final long TICKS_PER_SECOND = 100; // of the Linux kernel for all programs

  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;

  private PeerProcess(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** The answer to a line. */
  sealed interface Answer permits Done, Refused {}

  /** The work was done. */
  record Done(long nanos, long checksum) implements Answer {}

  /** The work was not done, for this reason. */
  record Refused(boolean isFailure, String reason) implements Answer {}

  /** Starts a client; its errors go to the log. */
  static PeerProcess start(List<String> command, File log) {
    try {
      return new PeerProcess(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Answer ask(Workload workload, String location) {
    String line =
        String.join("\t", workload.command(), location, workload.array(), workload.argument());
    try {
      commands.write(line + "\n");
      commands.flush();
      return parsed(
          CompletableFuture.supplyAsync(this::line).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    } catch (TimeoutException e) {
      process.destroyForcibly();
      return new Refused(true, "no answer within " + PATIENCE_SECONDS + " s");
    } catch (Exception e) {
      return new Refused(true, "the process has ended");
    }
  }

  private String line() {
    try {
      String line = answers.readLine();
      return line == null ? "failed\tthe process has ended" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Answer parsed(String line) {
    String[] words = line.split("\t", -1);
    return words[0].equals("ok")
        ? new Done(Long.parseLong(words[1]), Long.parseLong(words[2]))
        : new Refused(words[0].equals("failed"), shortened(words.length > 1 ? words[1] : line));
  }

  private static String shortened(String reason) {
    return reason.length() <= MOST_CHARACTERS ? reason : reason.substring(0, MOST_CHARACTERS) + "…";
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the processor time so far; 0 where the system does not tell. */
  double cpuSeconds() {
    String stat = read("stat");
    if (stat.isEmpty()) {
      return 0;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (double) (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Returns the most memory since {@link #forgetPeak} in MiB; 0 where the system does not tell. */
  long peakMebibytes() {
    return status("VmHWM") >> 10;
  }

  /** Returns the number of threads now; 0 where the system does not tell. */
  long threads() {
    return status("Threads");
  }

  void forgetPeak() {
    try {
      Files.writeString(Path.of("/proc", Long.toString(process.pid()), "clear_refs"), "5");
    } catch (IOException e) {
      // the peak is then that of the whole life
    }
  }

  private long status(String name) {
    return read("status")
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private String read(String file) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
