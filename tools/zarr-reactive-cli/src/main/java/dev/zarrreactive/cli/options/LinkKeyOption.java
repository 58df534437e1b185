package dev.zarrreactive.cli.options;

import dev.zarrreactive.cli.command.TopCommand;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.credentials.LinkKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
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

  /** The most bytes of a file with keys. */
  private static final int MOST_BYTES = 1 << 16;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "The keys of links; else in " + VARIABLE + ".")
  private @Nullable String file;

  /** Returns true where a file is named. */
  public boolean isGiven() {
    return file != null;
  }

  /** Emits the keys, on the console's thread, which reads the file. */
  public Mono<LinkKeys> keys(TopCommand command, CommandSpec subcommand) {
    String named = file;
    String variable = command.environment().get(VARIABLE);
    if (named == null && (variable == null || variable.isBlank())) {
      throw new ParameterException(
          subcommand.commandLine(),
          "links need keys: --key-file FILE, or the variable "
              + VARIABLE
              + ", with lines ID:SECRET");
    }
    return Mono.fromCallable(
            () ->
                named == null ? keys(VARIABLE, String.valueOf(variable)) : keys(named, text(named)))
        .subscribeOn(command.console().thread());
  }

  private static LinkKeys keys(String place, String text) {
    try {
      return LinkKeys.of(text);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(Printable.of(place) + ": " + e.getMessage(), e);
    }
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      byte[] bytes = in.readNBytes(MOST_BYTES);
      if (bytes.length == MOST_BYTES) {
        throw new CommandFailure(Printable.of(file) + " is too large for keys of links");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new CommandFailure(Printable.of(file) + ": no such file", e);
    } catch (InvalidPathException e) {
      throw new CommandFailure("not a path: " + e.getReason(), e);
    }
  }
}
