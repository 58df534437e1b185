package dev.zarrreactive.datatype;

import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes images: little-endian integers of one to eight bytes, and base64 in JSON (RFC
 * 4648, section 4).
 */
final class Images {
  private Images() {}

  static long get(byte[] image, int offset, int size) {
    long value = 0;
    for (int i = size - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (image[offset + i] & 0xff);
    }
    return value;
  }

  static void put(byte[] image, int offset, int size, long value) {
    for (int i = 0; i < size; i++) {
      image[offset + i] = (byte) (value >>> (Byte.SIZE * i));
    }
  }

  /** Returns the bytes of a JSON string of base64, or null for another value. */
  static byte @Nullable [] ofBase64(JsonValue json) {
    if (!(json instanceof JsonString base64)) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(base64.value());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static JsonString toBase64(byte[] bytes) {
    return new JsonString(Base64.getEncoder().encodeToString(bytes));
  }
}
