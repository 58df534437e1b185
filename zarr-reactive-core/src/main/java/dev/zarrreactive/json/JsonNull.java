package dev.zarrreactive.json;

/** The JSON value {@code null}. */
public enum JsonNull implements JsonValue {
  /** The one null. */
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
