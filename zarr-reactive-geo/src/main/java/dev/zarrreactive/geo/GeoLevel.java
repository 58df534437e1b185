package dev.zarrreactive.geo;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One level of a raster in several resolutions (conventions of Zarr, "multiscales").
 *
 * @param path the path of its group or array, below the group with the attributes
 * @param derivedFrom the path of the level that it was made of; empty without
 * @param scale the size of its pixels in those of that level; empty without
 * @param translation the place of its first pixel in that level; empty without
 * @param transform the coordinates of its pixels, where the attributes say them
 */
public record GeoLevel(
    String path,
    String derivedFrom,
    List<Double> scale,
    List<Double> translation,
    Optional<AffineTransform> transform) {
  /** Copies the lists. */
  public GeoLevel {
    scale = List.copyOf(scale);
    translation = List.copyOf(translation);
  }

  /** Reads the attributes of a group; its levels are {@code multiscales.layout}. */
  public static List<GeoLevel> of(JsonObject attributes) {
    List<GeoLevel> levels = new ArrayList<>();
    if (attributes.get("multiscales") instanceof JsonObject multiscales
        && multiscales.get("layout") instanceof JsonArray layout) {
      for (JsonValue each : layout.elements()) {
        if (each instanceof JsonObject level) {
          JsonObject relative =
              level.get("transform") instanceof JsonObject given ? given : JsonObject.EMPTY;
          levels.add(
              new GeoLevel(
                  text(level, "asset"),
                  text(level, "derived_from"),
                  GeoAttributes.numbers(relative.get("scale")),
                  GeoAttributes.numbers(relative.get("translation")),
                  GeoAttributes.of(level).transform()));
        }
      }
    }
    return levels;
  }

  private static String text(JsonObject level, String name) {
    return level.get(name) instanceof JsonString text ? text.value() : "";
  }
}
