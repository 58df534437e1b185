package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.CommandConsole;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs each line of a file as the command does, on the streams and in the environment of this
 * process. A test of what many lines print in an environment starts one JVM for all of them.
 */
final class EveryLine {
  private EveryLine() {}

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    if (arguments.length > 1 || !Files.exists(file)) {
      System.exit(1); // what the script runs for its archive of classes
    }
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      out.println("$ zarr " + line);
      int exitCode =
          ZarrCommand.run(CommandConsole.ofSystem(), System.getenv(), line.split(" ", -1));
      out.println("exit code " + exitCode);
    }
    out.flush();
    System.exit(0);
  }
}
