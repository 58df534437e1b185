package dev.zarrreactive.cli;

/** The user interrupted a command, as with Ctrl-C; the message is advice, which may be empty. */
final class InterruptedCommand extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InterruptedCommand(String advice, InterruptedException cause) {
    super(advice, cause);
  }

  String advice() {
    return String.valueOf(getMessage());
  }
}
