package dev.zarrreactive.json;

/** An immutable JSON value. {@code toString} is its JSON text on one line. */
public sealed interface JsonValue
    permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

  /** The name of the value's kind, for messages: {@code object}, {@code number}, ... */
  String kind();
}
