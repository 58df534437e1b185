package dev.zarrreactive.cli.process;

/** The exit codes of the command. */
public final class ExitCode {
  /** All was done; also if the reader of the output closed its pipe. */
  public static final int SUCCESS = 0;

  /** The work failed, or there are findings or differences. */
  public static final int FAILURE = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** The heap is too small. */
  public static final int MEMORY = 3;

  /** The user pressed Ctrl-C. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
