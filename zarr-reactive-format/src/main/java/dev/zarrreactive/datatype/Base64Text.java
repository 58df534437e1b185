package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Converts bytes to a JSON string of base64 (RFC 4648, section 4), and back. */
final class Base64Text {
  private Base64Text() {}

  /** Returns the bytes, or null for another value. */
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
