package dev.zarrreactive.credentials;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.threads.FileThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The variables and the files of a process.
 *
 * @param variables returns the value of a variable; null where it is not set
 * @param home the directory of the user
 */
record Surroundings(UnaryOperator<@Nullable String> variables, String home) {
  /** The most bytes of a file with a secret. */
  private static final int MOST = 1 << 20;

  private static final Surroundings OF_PROCESS =
      new Surroundings(
          name -> name == null ? null : System.getenv(name), System.getProperty("user.home", "."));

  static Surroundings ofProcess() {
    return OF_PROCESS;
  }

  /** Returns a variable; null where it is not set, or empty. */
  @Nullable String variable(String name) {
    String value = variables.apply(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** Returns the path of a file, where {@code ~} at its start is the directory of the user. */
  Path path(String text) {
    return Path.of(text.startsWith("~/") ? home + text.substring(1) : text);
  }

  /** Emits the text of a file, which a file thread reads; empty where there is none. */
  static Mono<String> read(Path file) {
    return FileThreads.call(
            () -> text(file),
            e -> new StoreException(file + " cannot be read: " + e, Location.UNKNOWN, e))
        .filter(text -> !text.isEmpty());
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST + 1);
      if (bytes.length > MOST) {
        throw new IOException("more than " + MOST + " bytes are no credential");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }
}
