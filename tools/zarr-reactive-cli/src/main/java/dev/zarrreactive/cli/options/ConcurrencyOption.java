package dev.zarrreactive.cli.options;

import dev.zarrreactive.ZarrOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the number of chunks that are under way at a time. */
public final class ConcurrencyOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "The most chunks in flight; 64 by default.")
  private @Nullable Integer chunks;

  /**
   * Returns the options with this number.
   *
   * @throws ParameterException for less than one
   */
  public ZarrOptions of(ZarrOptions options) {
    if (chunks == null) {
      return options;
    }
    if (chunks < 1) {
      throw new ParameterException(command.commandLine(), "--concurrency must be 1 or more");
    }
    return options.withMaxConcurrency(chunks);
  }
}
