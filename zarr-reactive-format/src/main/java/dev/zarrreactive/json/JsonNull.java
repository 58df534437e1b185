package dev.zarrreactive.json;

/** The JSON value {@code null}. */
public enum JsonNull implements JsonValue {
  /** The only instance. */
  NULL;

  @Override
  public String kind() {
    return "null";
  }

  @Override
  public String toString() {
    return "null";
  }
}
