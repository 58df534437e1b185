package dev.zarrreactive.ome;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the transformations of OME-Zarr 0.6 between systems of coordinates. What is broken is
 * reported, and there is no step of it.
 */
final class TransformReader {
  /** The most axes of a system. */
  static final int MOST_AXES = 5;

  private static final int ANY = OmeStep.ANY;

  /** The farthest that the rows of a rotation may be from orthonormal ones, as by rounding. */
  private static final double ROTATION_TOLERANCE = 1e-3;

  private TransformReader() {}

  /**
   * Returns the step of a transformation; null of a broken one.
   *
   * @param inputs the number of axes of the system that it begins in, or {@link OmeStep#ANY}
   * @param outputs the number of axes of the system that it ends in, or {@link OmeStep#ANY}
   */
  static @Nullable OmeStep read(OmeJson json, int inputs, int outputs) {
    if (!(json.value() instanceof JsonObject)) {
      json.report("a transformation", false);
      return null;
    }
    OmeJson type = json.member("type");
    OmeStep step =
        switch (type.text()) {
          case "identity" -> new OmeIdentityStep(inputs == ANY ? outputs : inputs);
          case "scale" -> scale(json, inputs);
          case "translation" -> translation(json, inputs);
          case "mapAxis" -> mapAxis(json, inputs);
          case "projectAxis" -> projectAxis(json, inputs, outputs);
          case "affine", "rotation" -> matrix(json, inputs, outputs);
          case "sequence" -> sequence(json, inputs, outputs);
          case "byDimension" -> byDimension(json, inputs, outputs);
          case "bijection" -> bijection(json, inputs, outputs);
          case "displacements", "coordinates" -> field(json, inputs, outputs);
          default -> {
            type.report(
                "identity, scale, translation, mapAxis, projectAxis, affine, rotation, sequence,"
                    + " byDimension, bijection, displacements or coordinates",
                false);
            yield null;
          }
        };
    if (step == null) {
      return null;
    }
    if (inputs != ANY && step.inputs() != ANY && step.inputs() != inputs) {
      json.report("a transformation of " + inputs + " axes", false);
      return null;
    }
    if (outputs != ANY && step.outputs() != ANY && step.outputs() != outputs) {
      json.report("a transformation to " + outputs + " axes", false);
      return null;
    }
    return step;
  }

  private static @Nullable OmeStep scale(OmeJson json, int inputs) {
    OmeJson list = json.member("scale");
    List<Double> numbers = numbers(list, inputs);
    for (int d = 0; numbers != null && d < numbers.size(); d++) {
      if (numbers.get(d) <= 0) {
        list.elements().get(d).report("a number above 0", false);
      }
    }
    return numbers == null ? null : OmeAffineStep.scale(numbers);
  }

  private static @Nullable OmeStep translation(OmeJson json, int inputs) {
    List<Double> numbers = numbers(json.member("translation"), inputs);
    return numbers == null ? null : OmeAffineStep.translation(numbers);
  }

  private static @Nullable List<Double> numbers(OmeJson list, int count) {
    List<Double> numbers = new ArrayList<>();
    for (OmeJson each : list.elements()) {
      OptionalDouble number = each.number();
      if (number.isEmpty()) {
        each.report("a number", false);
        return null;
      }
      numbers.add(number.getAsDouble());
    }
    if (numbers.isEmpty()
        || numbers.size() > MOST_AXES
        || (count != ANY && count != numbers.size())) {
      list.report("a list of " + (count == ANY ? "1 to " + MOST_AXES : count) + " numbers", false);
      return null;
    }
    return numbers;
  }

  private static @Nullable OmeStep mapAxis(OmeJson json, int inputs) {
    OmeJson list = json.member("mapAxis");
    int rank = inputs == ANY ? list.elements().size() : inputs;
    List<Integer> axes = axes(list, rank, 1);
    if (axes == null || axes.size() != rank) {
      list.report("each of the " + rank + " input axes once", false);
      return null;
    }
    return OmeAffineStep.choice(axes.stream().mapToInt(axis -> axis).toArray(), rank);
  }

  /** Returns different indices of axes below a number; null of others, which are reported. */
  private static @Nullable List<Integer> axes(OmeJson list, int rank, int least) {
    List<Integer> axes = new ArrayList<>();
    int most = rank == ANY ? MOST_AXES : rank;
    for (OmeJson each : list.elements()) {
      OptionalLong axis = each.integer(0, false);
      if (axis.isEmpty() || axis.getAsLong() >= most || axes.contains((int) axis.getAsLong())) {
        each.report("the index of an axis below " + most + ", once", false);
        return null;
      }
      axes.add((int) axis.getAsLong());
    }
    if (axes.size() < least) {
      list.report("a list of indices of axes", false);
      return null;
    }
    return axes;
  }

  private static @Nullable OmeStep projectAxis(OmeJson json, int inputs, int outputs) {
    OmeJson dropped = json.member("droppedInputs");
    OmeJson created = json.member("createdOutputs");
    if (dropped.isMissing() && created.isMissing()) {
      json.report("droppedInputs, createdOutputs or both", false);
      return null;
    }
    List<Integer> without = dropped.isMissing() ? List.of() : axes(dropped, inputs, 1);
    List<Integer> added = created.isMissing() ? List.of() : axes(created, outputs, 1);
    if (without == null || added == null) {
      return null;
    }
    int from = inputs == ANY && outputs != ANY ? outputs - added.size() + without.size() : inputs;
    if (from == ANY) {
      return null; // its system is not known yet
    }
    int to = from - without.size() + added.size();
    if (to < 1 || to > MOST_AXES || added.stream().anyMatch(axis -> axis >= to)) {
      json.report("a transformation to 1 to " + MOST_AXES + " axes, of which each exists", false);
      return null;
    }
    int[] sources = new int[to];
    int next = 0;
    for (int o = 0; o < to; o++) {
      while (without.contains(next)) {
        next++;
      }
      sources[o] = added.contains(o) ? -1 : next++;
    }
    return OmeAffineStep.choice(sources, from);
  }

  private static @Nullable OmeStep matrix(OmeJson json, int inputs, int outputs) {
    String kind = json.member("type").text();
    boolean isAffine = kind.equals("affine");
    OmeJson rows = json.member(kind);
    if (rows.isMissing() && !json.member("path").isMissing()) {
      String path = path(json.member("path"));
      return path.isEmpty()
          ? null
          : new OmeStoredStep(
              kind, path, "", inputs, outputs == ANY && !isAffine ? inputs : outputs);
    }
    List<double[]> matrix = new ArrayList<>();
    int columns = inputs == ANY ? ANY : inputs + (isAffine ? 1 : 0);
    for (OmeJson row : rows.elements()) {
      double[] numbers =
          row.elements().stream().mapToDouble(e -> e.number().orElse(Double.NaN)).toArray();
      columns = columns == ANY ? numbers.length : columns;
      boolean isRow = numbers.length == columns && numbers.length >= (isAffine ? 2 : 1);
      for (double number : numbers) {
        isRow &= Double.isFinite(number);
      }
      if (!isRow || columns > MOST_AXES + 1) {
        row.report("a row of " + columns + " numbers", false);
        return null;
      }
      matrix.add(numbers);
    }
    if (matrix.isEmpty() || matrix.size() > MOST_AXES || (!isAffine && matrix.size() != columns)) {
      rows.report(
          isAffine ? "a matrix of 1 to " + MOST_AXES + " rows, or a path" : "a square matrix",
          false);
      return null;
    }
    double[][] numbers = matrix.toArray(double[][]::new);
    if (!isAffine) {
      if (!isRotation(numbers)) {
        rows.report("a matrix with orthonormal rows and the determinant 1", false);
      }
      for (int r = 0; r < numbers.length; r++) {
        numbers[r] = Arrays.copyOf(numbers[r], columns + 1);
      }
    }
    return new OmeAffineStep(numbers, isAffine ? columns - 1 : columns);
  }

  private static boolean isRotation(double[][] rows) {
    for (int r = 0; r < rows.length; r++) {
      for (int s = 0; s <= r; s++) {
        double sum = 0;
        for (int c = 0; c < rows.length; c++) {
          sum += rows[r][c] * rows[s][c];
        }
        if (!(Math.abs(sum - (r == s ? 1 : 0)) <= ROTATION_TOLERANCE)) {
          return false;
        }
      }
    }
    return determinant(rows) > 0;
  }

  private static double determinant(double[][] rows) {
    int rank = rows.length;
    if (rank == 1) {
      return rows[0][0];
    }
    double sum = 0;
    for (int c = 0; c < rank; c++) {
      double[][] minor = new double[rank - 1][rank - 1];
      for (int r = 1; r < rank; r++) {
        for (int i = 0; i < rank - 1; i++) {
          minor[r - 1][i] = rows[r][i < c ? i : i + 1];
        }
      }
      sum += (c % 2 == 0 ? 1 : -1) * rows[0][c] * determinant(minor);
    }
    return sum;
  }

  private static @Nullable OmeStep sequence(OmeJson json, int inputs, int outputs) {
    OmeJson list = json.member("transformations");
    List<OmeJson> elements = list.elements();
    if (elements.isEmpty()) {
      list.report("a list of transformations", false);
      return null;
    }
    List<OmeStep> steps = new ArrayList<>();
    int axes = inputs;
    boolean isWhole = true;
    for (int i = 0; i < elements.size(); i++) {
      OmeStep step = read(elements.get(i), axes, i == elements.size() - 1 ? outputs : ANY);
      isWhole &= step != null;
      if (step != null) {
        steps.add(step);
      }
      axes = step == null ? ANY : step.outputs();
    }
    return isWhole ? new OmeSequenceStep(steps) : null;
  }

  private static @Nullable OmeStep byDimension(OmeJson json, int inputs, int outputs) {
    OmeJson list = json.member("transformations");
    List<OmeDimensionsStep.Part> parts = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    int greatest = -1;
    boolean isWhole = true;
    for (OmeJson each : list.elements()) {
      OmeJson child = each.member("transformation");
      boolean isFlat = child.isMissing() && !each.member("type").isMissing();
      if (isFlat) { // as drafts of 0.6 wrote it
        child.report("a transformation", false);
      }
      List<Integer> from = axes(axesOf(each, "input"), inputs, 1);
      List<Integer> to = axes(axesOf(each, "output"), outputs, 1);
      OmeStep step =
          read(
              isFlat ? each : child,
              from == null ? ANY : from.size(),
              to == null ? ANY : to.size());
      for (int axis : to == null ? List.<Integer>of() : to) {
        if (!seen.add(axis)) {
          each.member("outputAxes").report("output axes that no other one gives", false);
          isWhole = false;
        }
      }
      if (from == null || to == null || step == null) {
        isWhole = false;
        continue;
      }
      greatest = from.stream().reduce(greatest, Math::max);
      parts.add(new OmeDimensionsStep.Part(step, from, to));
    }
    int count = outputs == ANY ? seen.size() : outputs;
    if (isWhole && (parts.isEmpty() || seen.size() != count)) {
      list.report("each of the " + count + " output axes once", false);
      return null;
    }
    int taken = inputs == ANY ? greatest + 1 : inputs;
    return isWhole ? new OmeDimensionsStep(parts, taken, count) : null;
  }

  /** Returns the list of axes, also under the name that drafts of 0.6 had. */
  private static OmeJson axesOf(OmeJson part, String end) {
    OmeJson axes = part.member(end + "Axes");
    OmeJson before = part.member(end + "_axes");
    return axes.isMissing() && !before.isMissing() ? before : axes;
  }

  private static @Nullable OmeStep bijection(OmeJson json, int inputs, int outputs) {
    OmeStep forward = read(json.member("forward"), inputs, outputs);
    OmeStep backward = read(json.member("inverse"), outputs, inputs);
    return forward == null || backward == null ? null : new OmeBijectionStep(forward, backward);
  }

  private static @Nullable OmeStep field(OmeJson json, int inputs, int outputs) {
    String path = path(json.member("path"));
    OmeJson interpolation = json.member("interpolation");
    String method = interpolation.isMissing() ? "linear" : interpolation.text();
    if (!Set.of("nearest", "linear", "cubic", "bspline-cubic").contains(method)) {
      interpolation.report("nearest, linear or cubic", false);
    }
    String kind = json.member("type").text();
    boolean isAdded = kind.equals("displacements");
    int to = isAdded && outputs == ANY ? inputs : outputs;
    return path.isEmpty() ? null : new OmeStoredStep(kind, path, method, inputs, to);
  }

  /** Returns the path of a node below the group; empty of another value, which is reported. */
  private static String path(OmeJson json) {
    String path = below(json.text("the path of a node below this group", false));
    if (path.isEmpty() && json.value() instanceof JsonString) {
      json.report("the path of a node below this group", false);
    }
    return path;
  }

  /** Returns a path without what leads to the group itself; empty for the group and for others. */
  static String below(String path) {
    String text = path.replaceFirst("^(\\./)*/*", "").replaceFirst("/+$", "");
    try {
      return text.equals(".") ? "" : NodePath.ROOT.resolve(text).value().substring(1);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
