package dev.zarrreactive.cli.console;

import java.io.IOException;
import java.util.Locale;

/** What was to be written could not be written. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure of a stream or a file. */
  public OutputException(IOException cause) {
    super("cannot write: " + cause.getMessage(), cause);
  }

  /** True where whoever read our output has had enough, as {@code head} has. */
  public boolean isClosedPipe() {
    String message = String.valueOf(getCause()).toLowerCase(Locale.ROOT);
    return message.contains("broken pipe")
        || message.contains("pipe is being closed") // Windows
        || message.contains("pipe has been ended");
  }
}
