package dev.zarrreactive.array;

import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A selection that was applied to an array's shape. Every index is absolute and within bounds. */
@Spi
public sealed interface ResolvedSelection {
  /** The shape of the result. */
  Shape shape();

  /** Returns true if every element is inside an array of shape {@code array}. */
  boolean isWithin(Shape array);

  /**
   * Returns the same selection with every index moved.
   *
   * @param by the difference of the indices, for each dimension of the array
   */
  ResolvedSelection shifted(long... by);

  /**
   * Takes every combination of the elements along each dimension.
   *
   * @param axes one for each dimension of the array
   */
  record Orthogonal(List<Axis> axes) implements ResolvedSelection {
    /** Copies {@code axes}. */
    public Orthogonal {
      axes = List.copyOf(axes);
    }

    @Override
    public Shape shape() {
      long[] extents = new long[axes.size()];
      int rank = 0;
      for (Axis axis : axes) {
        if (!(axis instanceof Axis.Range range && range.dropped())) {
          extents[rank++] = axis.count();
        }
      }
      return Shape.of(Arrays.copyOf(extents, rank));
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
      boolean isWithin = axes.size() == array.rank();
      for (int d = 0; isWithin && d < axes.size(); d++) {
        isWithin = axes.get(d).isWithin(array.extent(d));
      }
      return isWithin;
    }

    @Override
    public String toString() {
      return axes.stream().map(Axis::toString).collect(Collectors.joining(","));
    }
  }

  /** Takes single elements in the given order. The result has one dimension. */
  final class Points implements ResolvedSelection {
    private final int count;
    private final long[][] coordinates;

    /**
     * Takes the elements at {@code coordinates}.
     *
     * @param count the number of points
     * @param coordinates for each dimension of the array, the index of each point, without a copy
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
