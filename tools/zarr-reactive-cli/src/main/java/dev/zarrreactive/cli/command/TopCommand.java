package dev.zarrreactive.cli.command;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Warnings;
import dev.zarrreactive.cli.options.ColourChoice;
import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.cli.options.StoreSettings;
import dev.zarrreactive.metadata.Drafts;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** The command {@code zarr} itself, with the options that all commands accept. */
public interface TopCommand {
  /** Returns standard output and error. */
  CommandConsole console();

  /** Returns the drafts that the user accepts. */
  Drafts drafts();

  /** Returns whether nodes are read that need a leniency. */
  boolean leniencies();

  /** Returns the only format of nodes that are read, 2 or 3; null for both. */
  @Nullable Integer zarrFormat();

  /**
   * Returns the settings of stores at URLs.
   *
   * @param subcommand the command, for errors
   * @throws ParameterException for a wrong option
   */
  StoreSettings storeSettings(CommandSpec subcommand);

  /** Returns the variables of the process. */
  Map<String, String> environment();

  /** Returns the secrets that are kept out of all output. */
  Secrets secrets();

  /** Returns the warnings of nodes. */
  Warnings warnings();

  /** Returns the choice of colours. */
  ColourChoice colour();

  /** Waits for the work: no other method waits. */
  void await(Mono<Void> work);
}
