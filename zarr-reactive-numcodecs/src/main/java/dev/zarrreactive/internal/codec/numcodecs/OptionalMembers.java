package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import org.jspecify.annotations.Nullable;

/** Reads members of a configuration that may be missing or null, and then have a default. */
final class OptionalMembers {
  private OptionalMembers() {}

  /** Returns the member, or null for a missing one and for JSON's null. */
  static @Nullable LocatedJson optional(NamedConfiguration use, String member) {
    LocatedJson json = use.optional(member);
    return json == null || json.isNull() ? null : json;
  }

  /**
   * Returns the integer, which must lie in {@code [min, max]}, or {@code otherwise} for a missing
   * one.
   */
  static int integer(NamedConfiguration use, String member, int min, int max, int otherwise) {
    LocatedJson json = optional(use, member);
    return json == null ? otherwise : json.integer(min, max);
  }
}
