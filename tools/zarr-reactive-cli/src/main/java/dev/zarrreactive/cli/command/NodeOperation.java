package dev.zarrreactive.cli.command;

import picocli.CommandLine.Parameters;

/** A command on one node. */
public abstract class NodeOperation extends LocatedOperation {
  /** What PATH may be, for the help. */
  public static final String PATH_TEXT =
      "A directory or zip archive, the URL of one, or a path into one.";

  @Parameters(index = "0", paramLabel = "PATH", description = PATH_TEXT)
  private String path;

  @Override
  protected final String path() {
    return path;
  }
}
