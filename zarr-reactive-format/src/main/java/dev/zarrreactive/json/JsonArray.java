package dev.zarrreactive.json;

import java.util.List;

/** A JSON array. */
public record JsonArray(List<JsonValue> elements) implements JsonValue {
  /** Copies {@code elements}. */
  public JsonArray {
    elements = elements instanceof IntegerList ? elements : List.copyOf(elements);
  }

  /** Returns an array of the given elements. */
  public static JsonArray of(JsonValue... elements) {
    return new JsonArray(List.of(elements));
  }

  /** Returns an array of integers, of 8 bytes each. */
  public static JsonArray ofIntegers(long... values) {
    return new JsonArray(new IntegerList(values, values.length));
  }

  @Override
  public String kind() {
    return "array";
  }

  @Override
  public String toString() {
    return JsonText.write(this);
  }
}
