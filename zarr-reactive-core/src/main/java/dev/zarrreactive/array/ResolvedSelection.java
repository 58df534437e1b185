package dev.zarrreactive.array;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A selection applied to an array's shape: every index absolute and within bounds. */
public sealed interface ResolvedSelection {
  /** The shape of the result. */
  Shape shape();

  /** True where every element is one of an array of shape {@code array}. */
  boolean isWithin(Shape array);

  /**
   * The same selection with every index moved.
   *
   * @param by what to add to the indices, for each dimension of the array
   */
  ResolvedSelection shifted(long... by);

  /**
   * Every combination of what is taken along each dimension.
   *
   * @param axes one for each dimension of the array
   */
  record Orthogonal(List<Axis> axes) implements ResolvedSelection {
    /** The combinations of a copy of {@code axes}. */
    public Orthogonal {
      axes = List.copyOf(axes);
    }

    @Override
    public Shape shape() {
      return Shape.of(
          axes.stream()
              .filter(axis -> !(axis instanceof Axis.Range range && range.dropped()))
              .mapToLong(Axis::count)
              .toArray());
    }

    @Override
    public Orthogonal shifted(long... by) {
      Axis[] moved = new Axis[axes.size()];
      for (int d = 0; d < moved.length; d++) {
        moved[d] = axes.get(d).shifted(by[d]);
      }
      return new Orthogonal(List.of(moved));
    }

    @Override
    public boolean isWithin(Shape array) {
      return axes.size() == array.rank()
          && IntStream.range(0, axes.size()).allMatch(d -> axes.get(d).isWithin(array.extent(d)));
    }

    @Override
    public String toString() {
      return axes.stream().map(Axis::toString).collect(Collectors.joining(","));
    }
  }

  /** Single elements, in the order given; the result has one dimension. */
  final class Points implements ResolvedSelection {
    private final int count;
    private final long[][] coordinates;

    /**
     * The elements at {@code coordinates}.
     *
     * @param count the number of points
     * @param coordinates for each dimension of the array, the index of each point; not copied
     */
    public Points(int count, long[]... coordinates) {
      for (long[] indices : coordinates) {
        if (indices.length != count) {
          throw new IllegalArgumentException(indices.length + " indices for " + count + " points");
        }
      }
      this.count = count;
      this.coordinates = coordinates.clone();
    }

    /** The number of points. */
    public int count() {
      return count;
    }

    /** The index of a point in a dimension. */
    public long index(int dimension, int point) {
      return coordinates[dimension][point];
    }

    /** The number of dimensions of the array. */
    public int rank() {
      return coordinates.length;
    }

    @Override
    public Shape shape() {
      return Shape.of(count());
    }

    @Override
    public Points shifted(long... by) {
      long[][] moved = new long[rank()][];
      Arrays.setAll(moved, d -> Arrays.stream(coordinates[d]).map(i -> i + by[d]).toArray());
      return new Points(count, moved);
    }

    @Override
    public boolean isWithin(Shape array) {
      return rank() == array.rank()
          && IntStream.range(0, rank())
              .allMatch(
                  d ->
                      Arrays.stream(coordinates[d])
                          .allMatch(index -> index >= 0 && index < array.extent(d)));
    }

    @Override
    public String toString() {
      return count() + " points";
    }
  }
}
