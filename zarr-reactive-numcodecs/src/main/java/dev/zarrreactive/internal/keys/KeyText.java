package dev.zarrreactive.internal.keys;

import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/** The rules of texts that stand in keys. */
final class KeyText {
  private static final List<String> FORBIDDEN = List.of("..", "\\", "\0", "//", "zarr.json");

  private KeyText() {}

  /**
   * Checks a text of a configuration, which becomes a part of keys.
   *
   * @throws dev.zarrreactive.error.MetadataException if it could lead out of the array, or to its
   *     document
   */
  static void check(LocatedJson json, String text) {
    for (String forbidden : FORBIDDEN) {
      if (text.contains(forbidden)) {
        throw json.expected("a text without \"..\", \"//\", a backslash, NUL and \"zarr.json\"");
      }
    }
    if (text.endsWith("/")) {
      throw json.expected("a text that does not end with a slash");
    }
  }
}
