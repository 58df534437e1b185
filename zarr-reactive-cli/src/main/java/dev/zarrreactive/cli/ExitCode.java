package dev.zarrreactive.cli;

/** The exit codes of the command. */
final class ExitCode {
  static final int SUCCESS = 0;
  static final int FAILURE = 1;
  static final int USAGE = 2;
  static final int MEMORY = 3;
  static final int INTERRUPTED = 130;

  private ExitCode() {}
}
