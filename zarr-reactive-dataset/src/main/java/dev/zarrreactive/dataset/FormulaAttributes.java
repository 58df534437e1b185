package dev.zarrreactive.dataset;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
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
