package dev.zarrreactive.dataset.ome;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The levels of one image by its attributes (OME-Zarr 0.5, "multiscales").
 *
 * @param name the name; empty without
 * @param type how the levels were made smaller, such as {@code gaussian}; empty without
 * @param axes the axes in the order of the dimensions; OME-Zarr 0.1 and 0.2 store none and mean
 *     {@code t}, {@code c}, {@code z}, {@code y} and {@code x}
 * @param datasets the levels, finest first
 */
public record OmeMultiscale(
    String name, String type, List<OmeAxis> axes, List<OmeMultiscale.Dataset> datasets) {
  /** The most levels of an image: each halves one that has 2^63 elements at most. */
  private static final int MOST_LEVELS = 64;

  private static final String TRANSFORMS = "coordinateTransformations";

  private static final List<OmeAxis> FIRST_AXES =
      List.of(
          new OmeAxis("t", OmeAxis.TIME, ""),
          new OmeAxis("c", OmeAxis.CHANNEL, ""),
          new OmeAxis("z", OmeAxis.SPACE, ""),
          new OmeAxis("y", OmeAxis.SPACE, ""),
          new OmeAxis("x", OmeAxis.SPACE, ""));

  /**
   * One level.
   *
   * @param path the path of its array below the group
   * @param transform its transform, with that of the whole multiscale after it; NaN along an axis
   *     whose number is missing or not finite; empty if the attributes have none, as before
   *     OME-Zarr 0.4
   */
  public record Dataset(String path, Optional<OmeTransform> transform) {}

  /** Copies the lists. */
  public OmeMultiscale {
    axes = List.copyOf(axes);
    datasets = List.copyOf(datasets);
  }

  static OmeMultiscale of(OmeJson json) {
    OmeJson list = json.member("datasets");
    boolean hasTransforms =
        list.elements().stream().anyMatch(d -> !d.member(TRANSFORMS).isMissing());
    List<OmeAxis> axes = axes(json.member("axes"), hasTransforms);
    OmeJson ofAll = json.member(TRANSFORMS);
    Optional<OmeTransform> last =
        ofAll.isMissing() ? Optional.empty() : transform(ofAll, axes.size(), true);
    List<Dataset> datasets = new ArrayList<>();
    if (list.elements().isEmpty() || list.elements().size() > MOST_LEVELS) {
      list.report("a list of 1 to " + MOST_LEVELS + " levels", true);
    } else {
      for (OmeJson each : list.elements()) {
        OmeJson path = each.member("path");
        checkPath(path, path.text("the path of an array", true));
        Optional<OmeTransform> first = transform(each.member(TRANSFORMS), axes.size(), false);
        datasets.add(
            new Dataset(
                path.text(),
                first.isEmpty()
                    ? last
                    : first.map(own -> last.isEmpty() ? own : own.then(last.get()))));
      }
    }
    return new OmeMultiscale(
        json.member("name").text(), json.member("type").text(), axes, datasets);
  }

  /** Reports a path that is none of nodes below a group. */
  static void checkPath(OmeJson json, String path) {
    try {
      if (json.value() instanceof JsonString && NodePath.ROOT.resolve(path).isRoot()) {
        json.report("the path of a node below this group", true);
      }
    } catch (IllegalArgumentException e) {
      json.report("the path of a node below this group", true);
    }
  }

  private static List<OmeAxis> axes(OmeJson json, boolean areNeeded) {
    if (json.isMissing()) {
      json.report("a list of axes", areNeeded);
      return FIRST_AXES;
    }
    List<OmeAxis> axes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int space = 0;
    for (OmeJson each : json.elements()) {
      OmeJson name = each.value() instanceof JsonString ? each : each.member("name");
      if (!names.add(name.text("the name of the axis", true))) {
        name.report("a name that no other axis has", true);
      }
      OmeJson type = each.member("type");
      if (!type.isMissing()) {
        type.text("the type of the axis as text", false);
      }
      space += type.text().equals(OmeAxis.SPACE) ? 1 : 0;
      String known = each.value() instanceof JsonString ? usualType(name.text()) : type.text();
      axes.add(new OmeAxis(name.text(), known, each.member("unit").text()));
    }
    if (axes.size() < 2 || axes.size() > 5) {
      json.report("2 to 5 axes", axes.isEmpty());
    } else if (space < 2 || space > 3) {
      json.report("2 or 3 axes of the type space", false);
    }
    return axes;
  }

  /** Returns the type of an axis of OME-Zarr 0.3, which stores names only. */
  private static String usualType(String name) {
    return switch (name) {
      case "t" -> OmeAxis.TIME;
      case "c" -> OmeAxis.CHANNEL;
      default -> OmeAxis.SPACE;
    };
  }

  /** Returns the steps as one transform; empty without any that can be read. */
  private static Optional<OmeTransform> transform(OmeJson json, int rank, boolean mayLackScale) {
    List<OmeJson> steps = json.elements();
    if (steps.isEmpty()) {
      json.report("a list with a scale", false);
      return Optional.empty();
    }
    OmeTransform whole = OmeTransform.identity(rank);
    int scales = 0;
    boolean isRead = true;
    for (OmeJson step : steps) {
      String type = step.member("type").text();
      boolean isScale = type.equals("scale");
      if (isScale || type.equals("translation")) {
        List<Double> numbers = numbers(step.member(type), rank, isScale);
        List<Double> none = OmeTransform.identity(rank).scale();
        scales += isScale ? 1 : 0;
        isRead &= numbers.size() == rank;
        if (numbers.size() == rank) {
          whole =
              whole.then(
                  isScale
                      ? new OmeTransform(numbers, OmeTransform.identity(rank).translation())
                      : new OmeTransform(none, numbers));
        }
      } else if (!type.equals("identity")) {
        step.member("type").report("the transform scale or translation", true);
      }
    }
    if (scales > 1 || (scales == 0 && !mayLackScale)) {
      json.report("one scale", false);
    }
    return isRead ? Optional.of(whole) : Optional.empty();
  }

  /** Returns the numbers of a step; NaN for those that are missing or not finite. */
  private static List<Double> numbers(OmeJson json, int rank, boolean isScale) {
    List<Double> numbers = new ArrayList<>();
    for (OmeJson each : json.elements()) {
      double number = each.number().orElse(Double.NaN);
      numbers.add(number);
      if (Double.isNaN(number)) {
        each.report("a finite number", false);
      } else if (isScale && number == 0) {
        each.report("a number other than 0", false);
      }
    }
    boolean isAbsent = json.isMissing() || json.value() == JsonNull.NULL;
    if (numbers.size() != rank) {
      json.report("a number for each of the " + rank + " axes", !isAbsent);
    }
    return isAbsent ? Collections.nCopies(rank, Double.NaN) : numbers;
  }
}
