package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The levels of one image by its attributes (OME-Zarr 0.5 and 0.6, "multiscales").
 *
 * @param name the name; empty without
 * @param type how the levels were made smaller, such as {@code gaussian}; empty without
 * @param axes the axes in the order of the dimensions; OME-Zarr 0.1 and 0.2 store none and mean
 *     {@code t}, {@code c}, {@code z}, {@code y} and {@code x}
 * @param datasets the levels, finest first
 * @param systems the systems of coordinates that the attributes name (OME-Zarr 0.6): first that of
 *     the levels, whose axes are {@code axes}; none before
 */
public record OmeMultiscale(
    String name,
    String type,
    List<OmeAxis> axes,
    List<OmeMultiscale.Dataset> datasets,
    List<OmeSystem> systems) {
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
    systems = List.copyOf(systems);
  }

  static OmeMultiscale of(OmeJson json, boolean hasSystems) {
    OmeJson list = json.member("datasets");
    boolean hasTransforms =
        list.elements().stream().anyMatch(d -> !d.member(TRANSFORMS).isMissing());
    OmeJson named = json.member("coordinateSystems");
    boolean isNamed = hasSystems && (!named.isMissing() || json.member("axes").isMissing());
    List<OmeSystem> systems = isNamed ? OmeLinks.imageSystems(named, list) : List.of();
    List<OmeAxis> axes =
        !isNamed
            ? axes(json.member("axes"), hasTransforms)
            : systems.isEmpty() ? FIRST_AXES : systems.get(0).axes();
    if (hasSystems && !isNamed) {
      named.report("a list of coordinate systems", false);
    }
    OmeJson ofAll = json.member(TRANSFORMS);
    Optional<OmeTransform> last =
        isNamed || ofAll.isMissing() || leadsElsewhere(ofAll)
            ? Optional.empty()
            : transform(ofAll, axes.size(), true);
    if (isNamed) {
      OmeLinks.check(ofAll, systems);
    }
    List<Dataset> datasets = new ArrayList<>();
    if (list.elements().isEmpty() || list.elements().size() > MOST_LEVELS) {
      list.report("a list of 1 to " + MOST_LEVELS + " levels", true);
    } else {
      for (OmeJson each : list.elements()) {
        OmeJson path = each.member("path");
        checkPath(path, path.text("the path of an array", true));
        OmeJson own = each.member(TRANSFORMS);
        if (isNamed) {
          OmeLinks.checkLevel(own, path.text(), systems);
        }
        Optional<OmeTransform> first =
            isNamed ? transform(own, steps(own), axes.size()) : transform(own, axes.size(), false);
        datasets.add(
            new Dataset(
                path.text(),
                first.isEmpty()
                    ? last
                    : first.map(found -> last.isEmpty() ? found : found.then(last.get()))));
      }
    }
    return new OmeMultiscale(
        json.member("name").text(), json.member("type").text(), axes, datasets, systems);
  }

  /**
   * Returns true for the transforms of SpatialData: each leads from the coordinates of the image to
   * another system, whose name and axes it has, and none belongs to the levels.
   */
  private static boolean leadsElsewhere(OmeJson transforms) {
    return transforms.elements().stream()
        .anyMatch(each -> each.member("output").value() instanceof JsonObject);
  }

  /** Returns the steps of a list of transforms, those of sequences in their place. */
  private static List<OmeJson> steps(OmeJson list) {
    List<OmeJson> steps = new ArrayList<>();
    for (OmeJson each : list.elements()) {
      if (each.member("type").text().equals("sequence")) {
        steps.addAll(each.member("transformations").elements());
      } else {
        steps.add(each);
      }
    }
    return steps;
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
    return namedAxes(json, true);
  }

  /** Returns the axes of an image, or of another system of coordinates. */
  static List<OmeAxis> namedAxes(OmeJson json, boolean isOfImage) {
    List<OmeAxis> axes = new ArrayList<>();
    Set<String> names = new HashSet<>();
    int space = 0;
    int array = 0;
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
      array += type.text().equals("array") ? 1 : 0;
      String known = each.value() instanceof JsonString ? usualType(name.text()) : type.text();
      axes.add(new OmeAxis(name.text(), known, each.member("unit").text()));
    }
    if (axes.size() < (isOfImage ? 2 : 1) || axes.size() > TransformReader.MOST_AXES) {
      json.report((isOfImage ? "2" : "1") + " to 5 axes", axes.isEmpty());
    } else if (isOfImage && array < 2 && (space < 2 || space > 3)) {
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
    Optional<OmeTransform> whole = transform(json, steps, rank);
    long scales = steps.stream().filter(s -> s.member("type").text().equals("scale")).count();
    if (!steps.isEmpty() && (scales > 1 || (scales == 0 && !mayLackScale))) {
      json.report("one scale", false);
    }
    return whole;
  }

  private static Optional<OmeTransform> transform(OmeJson json, List<OmeJson> steps, int rank) {
    if (steps.isEmpty()) {
      json.report("a list with a scale", false);
      return Optional.empty();
    }
    OmeTransform whole = OmeTransform.identity(rank);
    boolean isRead = true;
    for (OmeJson step : steps) {
      String type = step.member("type").text();
      boolean isScale = type.equals("scale");
      if (isScale || type.equals("translation")) {
        List<Double> numbers = numbers(step.member(type), rank, isScale);
        List<Double> none = OmeTransform.identity(rank).scale();
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
