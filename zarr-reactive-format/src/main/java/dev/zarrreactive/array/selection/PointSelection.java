package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.InvalidInputException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Single elements by their coordinates. */
final class PointSelection implements Selection {
  private final long[][] points;

  PointSelection(long[]... points) {
    this.points = new long[points.length][];
    for (int i = 0; i < points.length; i++) {
      if (points[i].length != points[0].length) {
        throw new InvalidInputException(
            "point "
                + i
                + " at "
                + Arrays.toString(points[i])
                + " has another number of dimensions than point 0 at "
                + Arrays.toString(points[0]));
      }
      this.points[i] = points[i].clone();
    }
  }

  @Override
  public ResolvedSelection resolve(Shape shape) {
    if (points.length > 0 && points[0].length != shape.rank()) {
      throw new InvalidInputException(
          "points of rank "
              + points[0].length
              + " in an array of shape "
              + shape
              + "; each point is given by its "
              + shape.rank()
              + " coordinates");
    }
    long[][] coordinates = new long[shape.rank()][points.length];
    for (int point = 0; point < points.length; point++) {
      for (int dimension = 0; dimension < shape.rank(); dimension++) {
        coordinates[dimension][point] = index(point, dimension, shape.extent(dimension));
      }
    }
    return new ResolvedSelection.Points(points.length, coordinates);
  }

  private long index(int point, int dimension, long extent) {
    long absolute = Bounds.absolute(points[point][dimension], extent);
    if (absolute < 0 || absolute >= extent) {
      throw Bounds.outOfBounds(
          "point " + point + " at " + Arrays.toString(points[point]), dimension, extent);
    }
    return absolute;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PointSelection that && Arrays.deepEquals(points, that.points);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(points);
  }

  /** Returns the points that fit on a line. */
  @Override
  public String toString() {
    String all = "points" + Arrays.deepToString(points);
    return all.length() <= 100 ? all : points.length + " points";
  }
}
