package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/** Members of a configuration that may be missing or null, and then have their default. */
final class Options {
  private Options() {}

  /** The member, or null where it is missing or null. */
  static @Nullable LocatedJson optional(NamedConfiguration use, String member) {
    LocatedJson json = use.optional(member);
    return json == null || json.isNull() ? null : json;
  }

  /** The integer, which must lie in {@code [min, max]}; {@code otherwise} where there is none. */
  static int integer(NamedConfiguration use, String member, int min, int max, int otherwise) {
    LocatedJson json = optional(use, member);
    return json == null ? otherwise : json.integer(min, max);
  }
}
