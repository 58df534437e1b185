package dev.zarrreactive.cli.console;

import java.io.IOException;
import java.util.Locale;

/** A failure of output. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Wraps the failure of a stream or a file. */
  public OutputException(IOException cause) {
    super("cannot write: " + cause.getMessage(), cause);
  }

  /** Returns whether the reader of the output has closed the pipe, as {@code head} does. */
  public boolean isClosedPipe() {
    String message = String.valueOf(getCause()).toLowerCase(Locale.ROOT);
    return message.contains("broken pipe")
        || message.contains("pipe is being closed") // Windows
        || message.contains("pipe has been ended");
  }
}
