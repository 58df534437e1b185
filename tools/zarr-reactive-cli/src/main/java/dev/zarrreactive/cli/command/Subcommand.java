package dev.zarrreactive.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command below {@code zarr}. */
public abstract class Subcommand extends Operation {
  @ParentCommand private TopCommand command;
  @Spec private CommandSpec spec;

  @Override
  protected final TopCommand command() {
    return command;
  }

  /** Returns the model of the command, for errors. */
  protected final CommandSpec spec() {
    return spec;
  }
}
