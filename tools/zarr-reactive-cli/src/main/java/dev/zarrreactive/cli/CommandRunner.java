package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.OutputException;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.cli.help.UsageErrors;
import dev.zarrreactive.cli.options.ColourChoice;
import dev.zarrreactive.cli.process.ExitCode;
import dev.zarrreactive.cli.process.InterruptedCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** Runs a command line: parses it, prints its errors, and returns its exit code. */
final class CommandRunner {
  /** The narrowest help that picocli can print. */
  private static final int LEAST_WIDTH = 55;

  private final ZarrCommand command;
  private final CommandConsole console;
  private final Supplier<@Nullable OutOfMemoryError> memoryError;

  /** Whether standard output failed: flushing its buffer would fail again. */
  private boolean outputFailed;

  private CommandRunner(
      ZarrCommand command,
      CommandConsole console,
      Supplier<@Nullable OutOfMemoryError> memoryError) {
    this.command = command;
    this.console = console;
    this.memoryError = memoryError;
  }

  /**
   * Runs the command line.
   *
   * @param memoryError the error of another thread that interrupted this one; null without one
   * @return the exit code
   */
  static int run(
      ZarrCommand command,
      CommandConsole console,
      Supplier<@Nullable OutOfMemoryError> memoryError,
      String... arguments) {
    CommandRunner runner = new CommandRunner(command, console, memoryError);
    try {
      return arguments.length == 0 ? runner.run("--help") : runner.run(arguments);
    } catch (OutOfMemoryError e) { // of this thread
      return runner.failure(new CommandFailure(CommandFailure.noMemory(e), e));
    }
  }

  private int run(String... arguments) {
    command.secrets().addFrom(arguments);
    boolean colour = ColourChoice.AUTO.onOutput(console.terminal()).isOn();
    StringWriter help = new StringWriter();
    int exitCode =
        command
            .model(arguments)
            .setUsageHelpWidth(helpWidth())
            .setColorScheme(Help.defaultColorScheme(colour ? Help.Ansi.ON : Help.Ansi.OFF))
            .setOut(new PrintWriter(help))
            .setParameterExceptionHandler((error, words) -> wrongUsage(error))
            .setExecutionExceptionHandler((error, failed, parsed) -> failure(error))
            .execute(arguments);
    return finish(help.toString(), exitCode);
  }

  /** Returns the width of the terminal, 80 without one. */
  private int helpWidth() {
    int columns = console.terminal().out() ? console.terminal().columns() : Terminal.NONE.columns();
    return Math.max(LEAST_WIDTH, columns);
  }

  /** Prints help and version here, so that a closed pipe is not an error. */
  private int finish(String help, int exitCode) {
    if (outputFailed) {
      return exitCode;
    }
    try {
      console.out().print(help);
      console.out().flush();
      return exitCode;
    } catch (OutputException e) {
      return e.isClosedPipe() ? exitCode : failure(e);
    }
  }

  private int wrongUsage(ParameterException error) {
    CommandLine line = error.getCommandLine();
    report(UsageErrors.message(error));
    String name = line.getCommandSpec().qualifiedName(" ");
    console.err().println("Try '" + name + " --help' for more information.");
    return ExitCode.USAGE;
  }

  private int failure(Exception error) {
    if (error instanceof ParameterException usage) {
      return wrongUsage(usage);
    }
    if (error instanceof OutputException output) {
      outputFailed = true;
      if (output.isClosedPipe()) {
        return ExitCode.SUCCESS;
      }
    }
    if (error instanceof InterruptedCommand interrupted) {
      return interrupted(interrupted);
    }
    report(
        error instanceof CommandFailure || error instanceof OutputException
            ? String.valueOf(error.getMessage())
            : "internal error: " + error);
    if (command.isVerbose()) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace, true));
      console.err().print(Printable.lines(command.secrets().hidden(trace.toString())));
    }
    return CommandFailure.isOfMemory(error) ? ExitCode.MEMORY : ExitCode.FAILURE;
  }

  private int interrupted(InterruptedCommand interrupted) {
    OutOfMemoryError memory = memoryError.get();
    if (memory != null) {
      return failure(new CommandFailure(CommandFailure.noMemory(memory), memory));
    }
    if (!interrupted.advice().isEmpty()) {
      console.err().println("zarr: interrupted: " + Printable.of(interrupted.advice()));
      console.err().flush();
    }
    return ExitCode.INTERRUPTED;
  }

  /** Prints an error on one line. It may quote an argument with any characters. */
  private void report(String message) {
    Out err = console.err();
    boolean colour = command.colour().onErrors(console.terminal()).isOn();
    String line = CommandFailure.oneLine(command.secrets().hidden(message));
    err.println(Style.ERROR.of("zarr: error:", colour) + " " + line);
    err.flush();
  }
}
