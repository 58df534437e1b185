package dev.zarrreactive.cli;

import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodeLocation;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command on one node. */
abstract class NodeOperation extends Operation {
  @ParentCommand private ZarrCommand command;
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "A directory or zip archive, the URL of one, or a path into one.")
  private String path;

  @Override
  final ZarrCommand command() {
    return command;
  }

  @Override
  final String subject() {
    return LocationText.shown(path);
  }

  final CommandSpec spec() {
    return spec;
  }

  /** Returns the location of the node as one of the hierarchy that it lies in, for a change. */
  final NodeLocation locationInHierarchy() {
    return watched(
        path,
        NodeLocation.inHierarchy(
            path, command.drafts(), command.storeSettings(spec).checkedFor(path).of(path)));
  }

  /** Returns the location of another node in the group of this one. */
  final NodeLocation sibling(String name) {
    String text = LocationText.sibling(path, name);
    return location(text, command.storeSettings(spec).of(text));
  }

  /** Returns the location of the node. */
  final NodeLocation location() {
    return location(path, command.storeSettings(spec).checkedFor(path).of(path));
  }
}
