package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;

/** The configuration {@code length_bytes}: the size of every element in bytes. */
final class LengthBytes {
  /**
   * The maximum size of an element whose fill value may be shorter. Otherwise a short document
   * could demand gigabytes.
   */
  static final int LONGEST_PADDED = 16 << 20;

  static final String MEMBER = "length_bytes";

  private LengthBytes() {}

  static int parse(NamedConfiguration use, int longest) {
    use.configuration().allowOnly(MEMBER);
    return use.member(MEMBER).integer(1, longest);
  }

  static JsonObject toMetadata(String name, int length) {
    return NamedConfiguration.of(name, JsonObject.EMPTY.with(MEMBER, length)).toJson();
  }

  static String toString(String name, int length) {
    return name + "[" + length + "]";
  }
}
