package dev.zarrreactive.dataset;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The attributes of the results of formulas. */
final class FormulaAttributes {
  /** What attributes say about stored elements, which values no longer have. */
  private static final Set<String> OF_ELEMENTS =
      Set.of(
          "_FillValue",
          "missing_value",
          "scale_factor",
          "add_offset",
          "_Unsigned",
          "valid_min",
          "valid_max",
          "valid_range");

  private FormulaAttributes() {}

  /** Returns the attributes of values, without those of their stored elements. */
  static JsonObject ofValues(JsonObject attributes) {
    JsonObject kept = JsonObject.EMPTY;
    for (Map.Entry<String, JsonValue> member : attributes.members().entrySet()) {
      if (!OF_ELEMENTS.contains(member.getKey())) {
        kept = kept.with(member.getKey(), member.getValue());
      }
    }
    return kept;
  }

  /**
   * Returns attributes with a further method in {@code cell_methods} (CF 7.3).
   *
   * @param dimensions over which the method is, each once
   */
  static JsonObject withMethod(JsonObject attributes, List<String> dimensions, String method) {
    String before = Dataset.text(attributes, "cell_methods");
    String names = String.join("", dimensions.stream().map(name -> name + ": ").toList());
    return attributes.with("cell_methods", new JsonString((before + " " + names + method).strip()));
  }

  /** Returns the attributes of squares: units are squared, as UDUNITS writes it. */
  static JsonObject squared(JsonObject attributes) {
    String units = Dataset.text(attributes, "units").strip();
    if (units.isEmpty() || units.equals("1")) {
      return attributes;
    }
    boolean isWord = units.matches("[A-Za-z_%]+");
    return attributes.with("units", new JsonString(isWord ? units + "2" : "(" + units + ")2"));
  }

  /** Returns the attributes without the units. */
  static JsonObject withoutUnits(JsonObject attributes) {
    JsonObject kept = JsonObject.EMPTY;
    for (Map.Entry<String, JsonValue> member : attributes.members().entrySet()) {
      kept = member.getKey().equals("units") ? kept : kept.with(member.getKey(), member.getValue());
    }
    return kept;
  }

  /** Returns the attributes of two variables that do not contradict each other. */
  static JsonObject agreeing(JsonObject some, JsonObject others) {
    JsonObject kept = JsonObject.EMPTY;
    for (Map.Entry<String, JsonValue> member : some.members().entrySet()) {
      JsonValue other = others.get(member.getKey());
      if (other == null || other.equals(member.getValue())) {
        kept = kept.with(member.getKey(), member.getValue());
      }
    }
    for (Map.Entry<String, JsonValue> member : others.members().entrySet()) {
      if (some.get(member.getKey()) == null) {
        kept = kept.with(member.getKey(), member.getValue());
      }
    }
    return kept;
  }
}
