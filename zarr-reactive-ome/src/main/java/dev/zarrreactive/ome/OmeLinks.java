package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The systems of coordinates of a group, and what its transformations lead from and to. */
final class OmeLinks {
  private static final Set<String> LEVELS = Set.of("identity", "scale", "sequence");
  private static final Set<String> LABELS = Set.of("identity", "scale", "translation", "sequence");

  private OmeLinks() {}

  /** The system that a transformation begins or ends in; the path is empty for the group itself. */
  record Reference(String path, String name) {}

  /** Returns the systems of an image; first the one that its levels are in. */
  static List<OmeSystem> imageSystems(OmeJson list, OmeJson datasets) {
    List<OmeSystem> systems = systems(list, true);
    if (systems.isEmpty()) {
      return systems;
    }
    String intrinsic = "";
    for (OmeJson dataset : datasets.elements()) {
      for (OmeJson transform : dataset.member("coordinateTransformations").elements()) {
        String name = reference(transform.member("output"), systems).name();
        intrinsic = intrinsic.isEmpty() ? name : intrinsic;
      }
    }
    List<OmeSystem> ordered = new ArrayList<>(systems);
    for (OmeSystem system : systems) {
      if (system.name().equals(intrinsic)) {
        ordered.remove(system);
        ordered.add(0, system);
      }
    }
    return ordered;
  }

  /** Returns the systems of a group; a broken list is reported. */
  static List<OmeSystem> systems(OmeJson list, boolean isOfImage) {
    List<OmeSystem> systems = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (OmeJson each : list.elements()) {
      OmeJson name = each.member("name");
      String text = name.text("the name of the system", false);
      if (text.isEmpty() && !name.isMissing()) {
        name.report("a name that is not empty", false);
      } else if (!names.add(text)) {
        name.report("a name that no other system has", false);
      }
      OmeJson axes = each.member("axes");
      if (axes.isMissing()) {
        axes.report("a list of axes", isOfImage);
      } else {
        systems.add(new OmeSystem("", text, OmeMultiscale.namedAxes(axes, isOfImage)));
      }
    }
    if (list.elements().isEmpty()) {
      list.report("a list of coordinate systems", isOfImage);
    }
    return systems;
  }

  /** Returns what a member {@code input} or {@code output} refers to; a broken one is reported. */
  static Reference reference(OmeJson json, List<OmeSystem> systems) {
    if (json.value() instanceof JsonString text) { // as drafts of 0.6 wrote it
      boolean isName = systems.stream().anyMatch(system -> system.isAt("", text.value()));
      return isName
          ? new Reference("", text.value())
          : new Reference(TransformReader.below(text.value()), "");
    }
    return new Reference(
        TransformReader.below(json.member("path").text()), json.member("name").text());
  }

  /** Reports a member {@code input} or {@code output} that refers to nothing. */
  private static void checkReference(OmeJson json, boolean needsPath, boolean needsName) {
    if (!(json.value() instanceof JsonObject)) {
      json.report("an object with " + (needsName ? "a name" : "a path"), false);
      return;
    }
    OmeJson path = json.member("path");
    if (needsPath || !(path.isMissing() || path.value() == JsonNull.NULL)) {
      if (TransformReader.below(path.text()).isEmpty()) {
        path.report("the path of a node below this group", false);
      }
    }
    OmeJson name = json.member("name");
    if (needsName || !(name.isMissing() || name.value() == JsonNull.NULL)) {
      name.text("the name of a system", false);
    }
  }

  /** Checks the transform of a level, which has one of three forms. */
  static void checkLevel(OmeJson list, String path, List<OmeSystem> systems) {
    List<OmeJson> elements = list.elements();
    if (elements.size() > 1) {
      list.report("one transformation", false);
    }
    for (OmeJson transform : elements) {
      OmeJson type = transform.member("type");
      if (!LEVELS.contains(type.text())) {
        type.report("a scale, an identity, or a sequence of a scale and a translation", false);
      }
      List<OmeJson> parts = transform.member("transformations").elements();
      if (type.text().equals("sequence")
          && !(parts.size() == 2
              && parts.get(0).member("type").text().equals("scale")
              && parts.get(1).member("type").text().equals("translation"))) {
        transform.member("transformations").report("a scale and then a translation", false);
      }
      List<OmeJson> scales = new ArrayList<>(transform.member("scale").elements());
      parts.forEach(part -> scales.addAll(part.member("scale").elements()));
      for (OmeJson number : scales) {
        if (number.number().orElse(1) < 0) { // 0 is reported by the reader of the levels
          number.report("a number above 0", false);
        }
      }
      OmeJson input = transform.member("input");
      checkReference(input, true, false);
      if (!input.member("path").isMissing()
          && !reference(input, systems).path().equals(TransformReader.below(path))) {
        input.member("path").report("the path " + path + " of the level", false);
      }
      OmeJson output = transform.member("output");
      checkReference(output, false, true);
      if (!systems.isEmpty()
          && !output.member("name").isMissing()
          && !output.member("name").text().equals(systems.get(0).name())) {
        output
            .member("name")
            .report("the system " + systems.get(0).name() + " of all levels", false);
      }
    }
  }

  /** Checks the transformations of an image between its own systems and those of its labels. */
  static void check(OmeJson list, List<OmeSystem> systems) {
    if (list.isMissing()) {
      return;
    }
    if (list.elements().isEmpty()) {
      list.report("a list of transformations", false);
    }
    for (OmeJson transform : list.elements()) {
      Reference input = checkEnd(transform.member("input"), systems);
      Reference output = checkEnd(transform.member("output"), systems);
      TransformReader.read(transform, rank(input, systems), rank(output, systems));
      boolean isOfLabels = !input.path().isEmpty() || !output.path().isEmpty();
      if (isOfLabels && !LABELS.contains(transform.member("type").text())) {
        transform.member("type").report("an identity, a scale or a translation to labels", false);
      }
      String own = systems.isEmpty() ? "" : systems.get(0).name();
      if (!systems.isEmpty()
          && !input.equals(new Reference("", own))
          && !output.equals(new Reference("", own))) {
        transform.report(
            "an input or an output that is the system " + own + " of the levels", false);
      }
    }
  }

  private static Reference checkEnd(OmeJson json, List<OmeSystem> systems) {
    checkReference(json, false, true);
    Reference reference = reference(json, systems);
    OmeJson name = json.member("name");
    if (reference.path().isEmpty()
        && name.value() instanceof JsonString
        && systems.stream().noneMatch(system -> system.isAt("", reference.name()))) {
      name.report("one of the systems " + systems.stream().map(OmeSystem::name).toList(), false);
    }
    return reference;
  }

  private static int rank(Reference reference, List<OmeSystem> systems) {
    Optional<OmeSystem> found =
        systems.stream().filter(s -> s.isAt(reference.path(), reference.name())).findFirst();
    return found.map(system -> system.axes().size()).orElse(OmeStep.ANY);
  }

  /** Returns the systems of a scene, and checks its transformations. */
  static List<OmeSystem> scene(OmeJson scene) {
    if (!(scene.value() instanceof JsonObject)) {
      scene.report("a scene", false);
      return List.of();
    }
    OmeJson named = scene.member("coordinateSystems");
    List<OmeSystem> systems = named.isMissing() ? List.of() : systems(named, false);
    OmeJson list = scene.member("coordinateTransformations");
    if (list.elements().isEmpty()) {
      list.report("a list of transformations", false);
    }
    for (OmeJson transform : list.elements()) {
      Reference input = checkEnd(transform.member("input"), systems);
      Reference output = checkEnd(transform.member("output"), systems);
      TransformReader.read(transform, rank(input, systems), rank(output, systems));
    }
    return systems;
  }
}
