package dev.zarrreactive.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is not supported yet: the lines {@code pattern -> reason} of {@code not-yet.txt}. A pattern
 * is the class of good cases, or {@code good/} or {@code bad/} and the name of a case; a star at
 * its end stands for anything.
 */
final class NotYet {
  static final List<Line> LINES = read();

  private NotYet() {}

  record Line(String pattern, String reason) {
    boolean matches(String name) {
      return pattern.endsWith("*")
          ? name.startsWith(pattern.substring(0, pattern.length() - 1))
          : name.equals(pattern);
    }

    @Override
    public String toString() {
      return "\"" + pattern + " -> " + reason + "\"";
    }
  }

  /** The line for a case. */
  static Optional<Line> line(String name) {
    return LINES.stream().filter(line -> line.matches(name)).findFirst();
  }

  private static List<Line> read() {
    try (var in =
        Objects.requireNonNull(NotYet.class.getResourceAsStream("/interop/not-yet.txt"))) {
      List<Line> lines = new ArrayList<>();
      for (String text : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (!text.isBlank() && !text.startsWith("#")) {
          String[] parts = text.split(" -> ", 2);
          lines.add(new Line(parts[0].strip(), parts[1].strip()));
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
