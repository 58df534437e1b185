package dev.zarrreactive.cli.process;

/** An interrupt by the user, for example Ctrl-C. The message is advice, which may be empty. */
public final class InterruptedCommand extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the error of an interrupt. */
  public InterruptedCommand(String advice, InterruptedException cause) {
    super(advice, cause);
  }

  /** Returns advice for the user; may be empty. */
  public String advice() {
    return String.valueOf(getMessage());
  }
}
