package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.command.TopCommand;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.error.StoreException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import reactor.core.publisher.Mono;

/** The keys of signed links. */
public final class LinkKeyOption {
  /** The variable with the keys, where no file is named. */
  private static final String VARIABLE = "ZARR_LINK_KEYS";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "The keys of links; else in " + VARIABLE + ".")
  private @Nullable String file;

  /** Returns true where a file is named. */
  public boolean isGiven() {
    return file != null;
  }

  /** Emits the keys as they are now. */
  public Mono<LinkKeys> keys(TopCommand command, CommandSpec subcommand) {
    return source(command, subcommand).flatMap(LinkKeySource::keys);
  }

  /** Emits the keys, which have been read once; those of a file are read again when it changes. */
  public Mono<LinkKeySource> source(TopCommand command, CommandSpec subcommand) {
    String named = file;
    String variable = command.environment().get(VARIABLE);
    if (named == null && (variable == null || variable.isBlank())) {
      throw new ParameterException(
          subcommand.commandLine(),
          "links need keys: --key-file FILE, or the variable "
              + VARIABLE
              + ", with lines ID:SECRET");
    }
    return Mono.defer(
            () -> {
              LinkKeySource source =
                  named == null
                      ? LinkKeys.of(String.valueOf(variable))
                      : LinkKeySource.file(Path.of(named));
              return source.keys().thenReturn(source);
            })
        .publishOn(command.console().thread())
        .onErrorMap(InvalidPathException.class, e -> failure("not a path: " + e.getReason(), e))
        .onErrorMap(
            IllegalArgumentException.class,
            e -> failure((named == null ? VARIABLE : named) + ": " + e.getMessage(), e))
        .onErrorMap(StoreException.class, e -> failure(e.statement(), e));
  }

  private static CommandFailure failure(String text, Throwable cause) {
    return new CommandFailure(Printable.of(text), cause);
  }
}
