package dev.zarrreactive.cli;

import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** A command on one node. */
abstract class NodeOperation extends Operation {
  @ParentCommand private ZarrCommand command;

  @Parameters(
      paramLabel = "PATH",
      description = "The directory of an array or a group, a zip archive, or a path into one.")
  private String path;

  @Override
  final ZarrCommand command() {
    return command;
  }

  @Override
  final String subject() {
    return path;
  }

  /** The node that the user named. */
  final NodeLocation location() {
    return NodeLocation.of(path, command.drafts());
  }
}
