package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.OutputException;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.error.ZarrException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import reactor.core.Exceptions;

/** A command has failed; the message is one line for the user. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommandFailure(String message) {
    super(message);
  }

  CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** The failure that {@code error} is, or what has to be told otherwise. */
  static Throwable about(String subject, Throwable error) {
    Throwable cause = Exceptions.unwrap(error);
    if (cause instanceof OutputException || cause instanceof CommandLine.ParameterException) {
      return cause;
    }
    boolean isAboutOutput = cause instanceof FileSystemException;
    String prefix = subject.isEmpty() || isAboutOutput ? "" : subject + ": ";
    return new CommandFailure(prefix + oneLine(statement(cause)), cause);
  }

  private static String statement(Throwable error) {
    String message = String.valueOf(error.getMessage());
    if (error instanceof ZarrException
        || error instanceof CommandFailure
        || error instanceof IllegalArgumentException) {
      return message;
    }
    if (error instanceof OutOfMemoryError) {
      return "not enough memory (" + message + "); select less, or write --format npy, raw or json";
    }
    if (error instanceof FileSystemException file) {
      return "cannot write " + file.getFile() + ": " + reason(file);
    }
    return error instanceof IOException ? message : "internal error: " + error;
  }

  private static String reason(FileSystemException error) {
    String reason = error.getReason();
    return reason != null ? reason : error.getClass().getSimpleName();
  }

  private static String oneLine(String text) {
    return Printable.of(text.replaceAll("\\s*\\R\\s*", " "));
  }
}
