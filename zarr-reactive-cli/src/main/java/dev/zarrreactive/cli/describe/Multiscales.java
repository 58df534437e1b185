package dev.zarrreactive.cli.describe;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels of resolution in the attributes of a group, in lines for people: OME-Zarr (version 0.4
 * at the top of the attributes, later ones below {@code ome}), and GeoZarr with its {@code
 * multiscales} of a layout, {@code proj:} and {@code spatial:}. Attributes of another form are left
 * out.
 */
final class Multiscales {
  private Multiscales() {}

  /** Returns the lines; a group of one resolution has none. */
  static List<String> of(JsonObject attributes) {
    List<String> lines = new ArrayList<>();
    JsonObject ome = attributes.get("ome") instanceof JsonObject inside ? inside : attributes;
    for (JsonValue each : elements(ome.get("multiscales"))) {
      if (each instanceof JsonObject multiscale) {
        addOme(multiscale, lines);
      }
    }
    if (attributes.get("multiscales") instanceof JsonObject geo) {
      List<String> levels = new ArrayList<>();
      for (JsonValue level : elements(geo.get("layout"))) {
        levels.add(level instanceof JsonObject named ? text(named.get("asset")) : "");
      }
      if (!levels.isEmpty()) {
        lines.add("GeoZarr, " + count(levels.size()) + ": " + String.join(", ", levels));
      }
    }
    return lines;
  }

  /** Returns where the elements lie on the Earth; null where the attributes do not say it. */
  static @Nullable String place(JsonObject attributes) {
    List<String> parts = new ArrayList<>();
    if (attributes.get("proj:code") instanceof JsonString code) {
      parts.add(code.value());
    }
    if (attributes.get("spatial:bbox") instanceof JsonArray box) {
      parts.add("from " + box);
    }
    if (attributes.get("spatial:transform") instanceof JsonArray transform) {
      parts.add("transform " + transform);
    }
    return parts.isEmpty() ? null : String.join(", ", parts);
  }

  private static void addOme(JsonObject multiscale, List<String> lines) {
    List<String> axes = new ArrayList<>();
    List<String> units = new ArrayList<>();
    for (JsonValue axis : elements(multiscale.get("axes"))) {
      JsonValue name = axis instanceof JsonObject named ? named.get("name") : axis;
      axes.add(text(name));
      units.add(axis instanceof JsonObject named ? text(named.get("unit")) : "");
    }
    List<JsonValue> levels = elements(multiscale.get("datasets"));
    String name = text(multiscale.get("name"));
    lines.add(
        "OME-Zarr"
            + (name.isEmpty() ? "" : " " + name)
            + ", "
            + count(levels.size())
            + (axes.isEmpty() ? "" : " of " + String.join(", ", axes)));
    for (JsonValue level : levels) {
      if (level instanceof JsonObject dataset) {
        String scale = scale(dataset, axes, units);
        lines.add("  " + text(dataset.get("path")) + (scale.isEmpty() ? "" : ": " + scale));
      }
    }
  }

  private static String scale(JsonObject dataset, List<String> axes, List<String> units) {
    for (JsonValue each : elements(dataset.get("coordinateTransformations"))) {
      if (each instanceof JsonObject step && step.get("scale") instanceof JsonArray scale) {
        List<String> parts = new ArrayList<>();
        for (int d = 0; d < scale.elements().size(); d++) {
          String axis = d < axes.size() ? axes.get(d) + " " : "";
          String unit = d < units.size() && !units.get(d).isEmpty() ? " " + units.get(d) : "";
          parts.add(axis + scale.elements().get(d) + unit);
        }
        return String.join(", ", parts);
      }
    }
    return "";
  }

  private static List<JsonValue> elements(@Nullable JsonValue value) {
    return value instanceof JsonArray array ? array.elements() : List.of();
  }

  private static String text(@Nullable JsonValue value) {
    return value instanceof JsonString text ? text.value() : "";
  }

  private static String count(int levels) {
    return levels == 1 ? "1 level" : levels + " levels";
  }
}
