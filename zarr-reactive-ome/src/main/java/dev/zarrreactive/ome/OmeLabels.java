package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonObject;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How the labels of a label image are drawn, and what is known of them (OME-Zarr 0.5, "labels",
 * {@code image-label}).
 *
 * @param colours the colours by label, as {@code 0xAARRGGBB}
 * @param properties the properties by label
 * @param source the path of the image, relative to the group of the labels
 */
public record OmeLabels(
    Map<Long, Integer> colours, Map<Long, JsonObject> properties, String source) {
  private static final String USUAL_SOURCE = "../../";

  /** Copies the maps. */
  public OmeLabels {
    colours = Map.copyOf(colours);
    properties = Map.copyOf(properties);
  }

  static OmeLabels of(OmeJson json) {
    Map<Long, Integer> colours = new HashMap<>();
    for (OmeJson each : labels(json.member("colors"))) {
      OptionalLong label = each.member("label-value").integer(Long.MIN_VALUE, false);
      OmeJson rgba = each.member("rgba");
      if (!rgba.isMissing()) {
        int colour = colour(rgba);
        label.ifPresent(value -> colours.put(value, colour));
      }
    }
    Map<Long, JsonObject> properties = new HashMap<>();
    for (OmeJson each : labels(json.member("properties"))) {
      OptionalLong label = each.member("label-value").integer(Long.MIN_VALUE, false);
      if (label.isPresent() && each.value() instanceof JsonObject object) {
        properties.put(label.getAsLong(), object.without("label-value"));
      }
    }
    OmeJson source = json.member("source").member("image");
    if (!source.isMissing()) {
      source.text("the path of an image", false);
    }
    return new OmeLabels(
        colours, properties, source.text().isEmpty() ? USUAL_SOURCE : source.text());
  }

  private static List<OmeJson> labels(OmeJson list) {
    if (list.isMissing()) {
      return Collections.emptyList();
    }
    if (list.elements().isEmpty()) {
      list.report("a list of labels", false);
    }
    Set<Long> seen = new HashSet<>();
    for (OmeJson each : list.elements()) {
      OmeJson label = each.member("label-value");
      label
          .integer(Long.MIN_VALUE, true)
          .ifPresent(
              value -> {
                if (!seen.add(value)) {
                  label.report("a label that differs from those before it", false);
                }
              });
    }
    return list.elements();
  }

  private static int colour(OmeJson rgba) {
    int[] parts = new int[4];
    List<OmeJson> elements = rgba.elements();
    boolean isColour = elements.size() == parts.length;
    for (int i = 0; isColour && i < parts.length; i++) {
      long part = elements.get(i).integer(0, false).orElse(-1);
      isColour = part >= 0 && part <= 255;
      parts[i] = (int) part;
    }
    if (!isColour) {
      rgba.report("four integers from 0 to 255", false);
      return 0;
    }
    return parts[3] << 24 | parts[0] << 16 | parts[1] << 8 | parts[2];
  }
}
