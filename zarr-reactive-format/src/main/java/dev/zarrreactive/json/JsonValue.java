package dev.zarrreactive.json;

import dev.zarrreactive.error.Location;
import java.nio.charset.StandardCharsets;

/**
 * An immutable JSON value. {@code toString} is its JSON text on one line.
 *
 * <p>Numbers keep their spelling in the text, and so do the tokens {@code NaN} and {@code Infinity}
 * in attributes: a string would be another value to the program that wrote them. An unpaired
 * surrogate, which UTF-8 cannot encode, is an escape with four digits.
 */
public sealed interface JsonValue
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

  /** The name of the value's kind, for messages: {@code object}, {@code number}, ... */
  String kind();

  /** The JSON text on several lines, indented by two spaces. */
  default String toPrettyString() {
    return JsonText.writePretty(this);
  }

  /**
   * Reads a JSON text (RFC 8259).
   *
   * @throws dev.zarrreactive.error.MetadataException if it is malformed, has a member twice, is
   *     deeper than 256 levels or longer than 256 MiB
   */
  static JsonValue parse(String text) {
    return JsonDocument.parse(StandardCharsets.UTF_8.encode(text), Location.UNKNOWN).value();
  }
}
