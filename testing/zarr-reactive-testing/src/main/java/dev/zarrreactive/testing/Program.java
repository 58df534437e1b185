package dev.zarrreactive.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Another program, which runs to its end. */
public final class Program {
  private Program() {}

  /**
   * Runs a program, and returns what it prints. What it writes to its other output is in the error
   * if it fails.
   *
   * @throws AssertionError if its exit code is not 0
   */
  public static String run(ProcessBuilder builder) {
    try {
      Path printed = Files.createTempFile("out", ".txt");
      Path complaints = Files.createTempFile("errors", ".txt");
      try {
        int exit =
            exit(
                builder
                    .redirectOutput(printed.toFile())
                    .redirectError(complaints.toFile())
                    .start());
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        if (exit != 0) {
          throw new AssertionError(
              builder.command().get(0)
                  + " ended with "
                  + exit
                  + ": "
                  + text
                  + Files.readString(complaints));
        }
        return text;
      } finally {
        Files.delete(printed);
        Files.delete(complaints);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end, and returns the exit code; kills the program if the test is stopped. */
  static int exit(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError("stopped while a program ran", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
