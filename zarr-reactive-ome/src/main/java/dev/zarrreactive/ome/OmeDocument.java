package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the attributes of an image in OME-Zarr 0.5 or 0.6. */
final class OmeDocument {
  /** The name of the system of coordinates that levels are in. */
  static final String SYSTEM = "physical";

  private OmeDocument() {}

  /** Returns the object of one image in {@code multiscales}. */
  static JsonObject multiscale(
      boolean hasSystems,
      String name,
      String type,
      List<OmeAxis> axes,
      List<OmeMultiscale.Dataset> levels) {
    JsonObject image = JsonObject.EMPTY;
    if (!name.isEmpty()) {
      image = image.with("name", name);
    }
    JsonArray all = new JsonArray(axes.stream().<JsonValue>map(OmeDocument::axis).toList());
    image =
        hasSystems
            ? image.with(
                "coordinateSystems",
                JsonArray.of(JsonObject.EMPTY.with("name", SYSTEM).with("axes", all)))
            : image.with("axes", all);
    image = image.with("datasets", datasets(hasSystems, SYSTEM, levels));
    return type.isEmpty() ? image : image.with("type", type);
  }

  private static JsonObject axis(OmeAxis axis) {
    JsonObject object = JsonObject.EMPTY.with("name", axis.name());
    if (!axis.type().isEmpty()) {
      object = object.with("type", axis.type());
    }
    return axis.unit().isEmpty() ? object : object.with("unit", axis.unit());
  }

  /** Returns the list of levels. */
  static JsonArray datasets(boolean hasSystems, String system, List<OmeMultiscale.Dataset> levels) {
    List<JsonValue> datasets = new ArrayList<>();
    for (OmeMultiscale.Dataset level : levels) {
      OmeTransform transform = level.transform().orElseThrow();
      JsonObject scale =
          JsonObject.EMPTY.with("type", "scale").with("scale", numbers(transform.scale()));
      JsonObject translation =
          JsonObject.EMPTY
              .with("type", "translation")
              .with("translation", numbers(transform.translation()));
      boolean isTranslated = transform.translation().stream().anyMatch(offset -> offset != 0);
      JsonArray steps = isTranslated ? JsonArray.of(scale, translation) : JsonArray.of(scale);
      if (hasSystems) {
        JsonObject step =
            isTranslated
                ? JsonObject.EMPTY.with("type", "sequence").with("transformations", steps)
                : scale;
        steps =
            JsonArray.of(
                step.with("input", JsonObject.EMPTY.with("path", level.path()))
                    .with("output", JsonObject.EMPTY.with("name", system)));
      }
      datasets.add(
          JsonObject.EMPTY.with("path", level.path()).with("coordinateTransformations", steps));
    }
    return new JsonArray(datasets);
  }

  /** Returns the object {@code omero}. */
  static JsonObject omero(List<OmeChannel> channels) {
    List<JsonValue> all = new ArrayList<>();
    for (OmeChannel channel : channels) {
      OmeChannel.Window window = channel.window().orElseThrow();
      JsonObject object =
          JsonObject.EMPTY
              .with("active", channel.active())
              .with("color", String.format(Locale.ROOT, "%06X", channel.colour()))
              .with("inverted", channel.inverted())
              .with(
                  "window",
                  JsonObject.EMPTY
                      .with("start", number(window.start()))
                      .with("end", number(window.end()))
                      .with("min", number(window.min()))
                      .with("max", number(window.max())));
      all.add(channel.label().isEmpty() ? object : object.with("label", channel.label()));
    }
    return JsonObject.EMPTY.with("channels", new JsonArray(all));
  }

  private static JsonArray numbers(List<Double> numbers) {
    return new JsonArray(numbers.stream().<JsonValue>map(OmeDocument::number).toList());
  }

  private static JsonNumber number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? JsonNumber.of((long) value)
        : new JsonNumber(Double.toString(value));
  }
}
