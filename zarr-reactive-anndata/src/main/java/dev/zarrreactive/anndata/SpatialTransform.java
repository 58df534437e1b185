package dev.zarrreactive.anndata;

import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transformation of an element's own coordinates to a system of coordinates. Immutable. It is
 * read when its matrix is asked for, so that a broken one stops nothing else.
 */
public final class SpatialTransform {
  private final LocatedJson json;

  SpatialTransform(LocatedJson json) {
    this.json = json;
  }

  /** The name of the system of coordinates, {@code global} where nobody has named one. */
  public String system() {
    return text(member(json.value(), "output"), "name");
  }

  /** The type, such as {@code scale}, {@code affine} or {@code sequence}. */
  public String type() {
    return text(json.value(), "type");
  }

  /** The names of the axes of the element, in the order of its coordinates. */
  public List<String> axes() {
    return axes("input");
  }

  /** The names of the axes of the system, in the order of coordinates there. */
  public List<String> systemAxes() {
    return axes("output");
  }

  private List<String> axes(String side) {
    return axes(member(json.value(), side));
  }

  /**
   * Returns the matrix: a row for each axis of the system, with a factor for each axis of the
   * element, and at last what is added.
   *
   * @throws dev.zarrreactive.error.MetadataException if the transformation is broken, with its
   *     place
   * @throws UnsupportedFeatureException if it has another type than identity, scale, translation,
   *     affine, mapAxis or sequence
   */
  public double[][] matrix() {
    List<String> axes = axes();
    if (axes.isEmpty()) {
      throw json.expected("a transformation whose input has axes");
    }
    return step(json, axes).matrix;
  }

  /**
   * Returns the place of a point in the system.
   *
   * @param coordinates those of the element, one for each of its {@link #axes}
   * @throws IllegalArgumentException for another number of coordinates
   */
  public double[] point(double... coordinates) {
    double[][] matrix = matrix();
    if (coordinates.length != axes().size()) {
      throw new IllegalArgumentException(
          "expected coordinates along " + axes() + ", found " + coordinates.length);
    }
    double[] point = new double[matrix.length];
    for (int row = 0; row < point.length; row++) {
      double sum = matrix[row][coordinates.length];
      for (int axis = 0; axis < coordinates.length; axis++) {
        sum += matrix[row][axis] * coordinates[axis];
      }
      point[row] = sum;
    }
    return point;
  }

  /** A part of a transformation: the axes that it leads to, and its matrix. */
  private static final class Step {
    private final List<String> axes;
    private final double[][] matrix;

    Step(List<String> axes, double[][] matrix) {
      this.axes = axes;
      this.matrix = matrix;
    }

    Step then(Step next) {
      int columns = matrix.length == 0 ? 1 : matrix[0].length;
      double[][] product = new double[next.matrix.length][columns];
      for (int row = 0; row < product.length; row++) {
        for (int column = 0; column < columns; column++) {
          double sum = column == columns - 1 ? next.matrix[row][matrix.length] : 0;
          for (int k = 0; k < matrix.length; k++) {
            sum += next.matrix[row][k] * matrix[k][column];
          }
          product[row][column] = sum;
        }
      }
      return new Step(next.axes, product);
    }
  }

  private static Step step(LocatedJson json, List<String> axes) {
    List<String> told = axes(member(json.value(), "output"));
    String type = json.member("type").string();
    return switch (type) {
      case "identity" -> diagonal(axes, ones(axes.size()), new double[axes.size()]);
      case "scale" ->
          diagonal(axes, numbers(json.member("scale"), axes.size()), new double[axes.size()]);
      case "translation" ->
          diagonal(axes, ones(axes.size()), numbers(json.member("translation"), axes.size()));
      case "affine" -> affine(json.member("affine"), axes, told.isEmpty() ? axes : told);
      case "mapAxis" -> mapAxis(json.member("mapAxis"), axes, told);
      case "sequence" -> {
        Step all = diagonal(axes, ones(axes.size()), new double[axes.size()]);
        for (LocatedJson next : json.member("transformations").elements()) {
          all = all.then(step(next, all.axes));
        }
        yield all;
      }
      default ->
          throw new UnsupportedFeatureException(
              "the transformation \""
                  + type
                  + "\"; identity, scale, translation, affine, mapAxis and sequence are read",
              json.location());
    };
  }

  private static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static Step diagonal(List<String> axes, double[] factors, double[] distances) {
    double[][] matrix = new double[factors.length][factors.length + 1];
    for (int axis = 0; axis < factors.length; axis++) {
      matrix[axis][axis] = factors[axis];
      matrix[axis][factors.length] = distances[axis];
    }
    return new Step(axes, matrix);
  }

  private static Step affine(LocatedJson rows, List<String> axes, List<String> to) {
    List<LocatedJson> lists = rows.elements();
    if (lists.size() != to.size()) {
      throw rows.expected("a row for each of the axes " + to);
    }
    double[][] matrix = new double[to.size()][];
    for (int row = 0; row < matrix.length; row++) {
      matrix[row] = numbers(lists.get(row), axes.size() + 1);
    }
    return new Step(to, matrix);
  }

  private static Step mapAxis(LocatedJson map, List<String> axes, List<String> told) {
    List<String> to = told.isEmpty() ? List.copyOf(map.object().members().keySet()) : told;
    double[][] matrix = new double[to.size()][axes.size() + 1];
    for (int row = 0; row < matrix.length; row++) {
      LocatedJson from = map.member(to.get(row));
      int axis = axes.indexOf(from.string());
      if (axis < 0) {
        throw from.expected("one of the axes " + axes);
      }
      matrix[row][axis] = 1;
    }
    return new Step(to, matrix);
  }

  private static double[] numbers(LocatedJson list, int count) {
    List<LocatedJson> elements = list.elements();
    if (elements.size() != count) {
      throw list.expected(count + " numbers");
    }
    double[] numbers = new double[count];
    for (int i = 0; i < count; i++) {
      if (!(elements.get(i).value() instanceof JsonNumber number) || !number.isFinite()) {
        throw elements.get(i).expected("a number");
      }
      numbers[i] = number.toDouble();
    }
    return numbers;
  }

  private static List<String> axes(@Nullable JsonValue system) {
    List<String> names = new ArrayList<>();
    if (member(system, "axes") instanceof JsonArray list) {
      for (JsonValue axis : list.elements()) {
        names.add(text(axis, "name"));
      }
    }
    return names;
  }

  private static @Nullable JsonValue member(@Nullable JsonValue value, String name) {
    return value instanceof JsonObject object ? object.get(name) : null;
  }

  private static String text(@Nullable JsonValue value, String name) {
    return member(value, name) instanceof JsonString text ? text.value() : "";
  }

  /** Returns a text for people: the type and the system. */
  @Override
  public String toString() {
    return type() + " to " + system();
  }
}
