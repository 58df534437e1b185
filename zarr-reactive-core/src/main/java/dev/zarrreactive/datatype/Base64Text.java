package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Bytes as JSON: a string of base64 (RFC 4648, section 4). */
final class Base64Text {
  private Base64Text() {}

  /** The bytes, or null where the value is no such string. */
  static byte @Nullable [] decode(JsonValue json) {
    if (!(json instanceof JsonString base64)) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(base64.value());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static JsonString encode(byte[] bytes) {
    return new JsonString(Base64.getEncoder().encodeToString(bytes));
  }
}
