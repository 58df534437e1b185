package dev.zarrreactive.json;

/** {@code true} or {@code false}. */
public record JsonBoolean(boolean value) implements JsonValue {
  @Override
  public String kind() {
    return "boolean";
  }

  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
