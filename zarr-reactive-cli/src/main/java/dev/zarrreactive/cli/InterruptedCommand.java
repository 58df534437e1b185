package dev.zarrreactive.cli;

/** An interrupt by the user, for example Ctrl-C. The message is advice, which may be empty. */
final class InterruptedCommand extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InterruptedCommand(String advice, InterruptedException cause) {
    super(advice, cause);
  }

  String advice() {
    return String.valueOf(getMessage());
  }
}
