package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Out;
import dev.zarrreactive.cli.console.OutputException;
import dev.zarrreactive.cli.console.Style;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;
import reactor.core.Exceptions;

/** Runs a command line: parses it, prints what went wrong, and says how it ended. */
final class CommandRunner {
  private static final int OK = 0;
  private static final int FAILURE = 1;
  private static final int USAGE = 2;
  private static final int INTERRUPTED = 130;

  private final ZarrCommand command;
  private final CommandConsole console;

  private CommandRunner(ZarrCommand command, CommandConsole console) {
    this.command = command;
    this.console = console;
  }

  static int run(ZarrCommand command, CommandConsole console, String... arguments) {
    return new CommandRunner(command, console).run(arguments);
  }

  private int run(String... arguments) {
    command.secrets().addFrom(arguments);
    boolean colour = ColourChoice.AUTO.onOutput(console.terminal()).isOn();
    StringWriter help = new StringWriter();
    int exitCode =
        new CommandLine(command)
            .setColorScheme(Help.defaultColorScheme(colour ? Help.Ansi.ON : Help.Ansi.OFF))
            .setOut(new PrintWriter(help))
            .setParameterExceptionHandler((error, words) -> wrongUsage(error))
            .setExecutionExceptionHandler((error, line, parsed) -> failure(error))
            .execute(arguments);
    return finish(help.toString(), exitCode);
  }

  /** Help and version are printed here, so that a pipe that closes is no error. */
  private int finish(String help, int exitCode) {
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
    return USAGE;
  }

  private int failure(Exception error) {
    if (error instanceof ParameterException usage) {
      return wrongUsage(usage);
    }
    if (error instanceof OutputException output && output.isClosedPipe()) {
      return OK;
    }
    if (Exceptions.unwrap(error) instanceof InterruptedException) {
      return INTERRUPTED;
    }
    report(
        error instanceof CommandFailure || error instanceof OutputException
            ? String.valueOf(error.getMessage())
            : "internal error: " + error);
    if (command.isVerbose()) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace, true));
      console.err().print(command.secrets().hidden(trace.toString()));
    }
    return FAILURE;
  }

  private void report(String message) {
    Out err = console.err();
    boolean colour = command.colour().onErrors(console.terminal()).isOn();
    err.println(Style.ERROR.of("zarr: error:", colour) + " " + command.secrets().hidden(message));
    err.flush();
  }
}
