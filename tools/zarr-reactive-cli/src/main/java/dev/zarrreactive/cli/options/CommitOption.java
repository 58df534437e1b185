package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The message of a commit, for commands that change a version of an Icechunk repository. */
public final class CommitOption {
  private static final String NAME = "message";

  @Option(
      names = "--message",
      paramLabel = "TEXT",
      description = "Commit to a branch of an Icechunk repository.")
  private @Nullable String message;

  /**
   * Returns the options of the store that is changed, with the message.
   *
   * @param spec the command, for errors
   * @throws ParameterException for a message and a location that is no version of a repository
   */
  public StoreOptions of(StoreOptions options, String location, CommandSpec spec) {
    return of(message, options, location, spec);
  }

  /**
   * Returns the options of the store that is changed, with a message.
   *
   * @param message null for none
   * @param spec the command, for errors
   * @throws ParameterException for a message and a location that is no version of a repository
   */
  public static StoreOptions of(
      @Nullable String message, StoreOptions options, String location, CommandSpec spec) {
    if (message == null) {
      return options;
    }
    Pipeline pipeline = Pipeline.isOne(location) ? LocationText.pipeline(location) : null;
    Segment last = pipeline == null ? null : pipeline.last();
    if (last == null || !last.scheme().equals("icechunk")) {
      throw new ParameterException(
          spec.commandLine(),
          "--message is for a branch of an Icechunk repository, such as REPO|icechunk:");
    }
    return options.with(NAME, message);
  }
}
