package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Looks points up in an array of vectors, which are added to the points or replace them (OME-Zarr
 * 0.6, "coordinates and displacements").
 *
 * @param array the array
 * @param grid the coordinates of its indices in the system of the points
 * @param vectors the dimension of the components; -1 of an array of single numbers
 * @param isAdded true for displacements
 * @param isNearest true for the nearest vector, false for the linear mean of the next ones
 */
record OmeFieldStep(
    ZarrArray array, OmeTransform grid, int vectors, boolean isAdded, boolean isNearest)
    implements OmeStep {
  /** The most numbers that a box reads. */
  private static final long MOST = 1L << 24;

  @Override
  public int inputs() {
    return array.shape().rank() - (vectors < 0 ? 0 : 1);
  }

  @Override
  public int outputs() {
    return vectors < 0 ? 1 : (int) array.shape().extent(vectors);
  }

  /** Returns the dimension of the array of an axis of the points. */
  private int dimension(int axis) {
    return vectors >= 0 && axis >= vectors ? axis + 1 : axis;
  }

  /** Returns the place of a coordinate between the first and the last index. */
  private double place(int axis, double coordinate) {
    int d = dimension(axis);
    double last = array.shape().extent(d) - 1.0;
    double index = grid.index(d, coordinate);
    if (!(index >= -0.5 && index <= last + 0.5)) {
      throw new IllegalArgumentException(
          "the coordinate "
              + coordinate
              + " of axis "
              + axis
              + " is outside of the field "
              + array.path()
              + ", whose coordinates are "
              + grid.coordinate(d, 0)
              + " to "
              + grid.coordinate(d, last));
    }
    return Math.max(0, Math.min(last, isNearest ? Math.rint(index) : index));
  }

  private Mono<NdArray> vectors(long[] from, long[] to) {
    Shape shape = array.shape();
    DimensionSelection[] selection = new DimensionSelection[shape.rank()];
    if (vectors >= 0) {
      selection[vectors] = DimensionSelection.slice(0, shape.extent(vectors));
    }
    for (int axis = 0; axis < from.length; axis++) {
      selection[dimension(axis)] = DimensionSelection.slice(from[axis], to[axis] + 1);
    }
    return array.read(Selection.of(selection)).map(read -> read.cast(DataTypes.FLOAT64));
  }

  @Override
  public Mono<double[]> point(double[] point) {
    return Mono.defer(
        () -> {
          long[] from = new long[point.length];
          long[] to = new long[point.length];
          double[] weights = new double[point.length];
          for (int axis = 0; axis < point.length; axis++) {
            double place = place(axis, point[axis]);
            from[axis] = (long) Math.floor(place);
            to[axis] = (long) Math.ceil(place);
            weights[axis] = place - from[axis];
          }
          return vectors(from, to).map(read -> mean(read, point, from, to, weights));
        });
  }

  private double[] mean(NdArray read, double[] point, long[] from, long[] to, double[] weights) {
    double[] result = isAdded ? point.clone() : new double[outputs()];
    long[] index = new long[read.shape().rank()];
    for (int corner = 0; corner < 1 << point.length; corner++) {
      double weight = 1;
      for (int axis = 0; axis < point.length; axis++) {
        boolean isUpper = (corner >> axis & 1) == 1;
        weight *= isUpper ? weights[axis] : 1 - weights[axis];
        index[dimension(axis)] = isUpper ? to[axis] - from[axis] : 0;
      }
      for (int component = 0; weight != 0 && component < result.length; component++) {
        if (vectors >= 0) {
          index[vectors] = component;
        }
        result[component] += weight * read.getDouble(index);
      }
    }
    return result;
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    return Mono.defer(
        () -> {
          int rank = box.from().size();
          long[] from = new long[rank];
          long[] to = new long[rank];
          double count = outputs();
          for (int axis = 0; axis < rank; axis++) {
            double one = place(axis, box.from().get(axis));
            double other = place(axis, box.to().get(axis));
            from[axis] = (long) Math.floor(Math.min(one, other));
            to[axis] = (long) Math.ceil(Math.max(one, other));
            count *= to[axis] - from[axis] + 1;
          }
          if (count > MOST) {
            return Mono.error(
                new UnsupportedFeatureException(
                    "the box has more than "
                        + MOST
                        + " numbers of the field; carry smaller boxes, or points",
                    Location.ofNode(array.path().value())));
          }
          return vectors(from, to).map(read -> bounds(read, box));
        });
  }

  private OmeBox bounds(NdArray read, OmeBox box) {
    double[] least = new double[outputs()];
    double[] greatest = new double[outputs()];
    Arrays.fill(least, Double.POSITIVE_INFINITY);
    Arrays.fill(greatest, Double.NEGATIVE_INFINITY);
    read.forEachIndex(
        index -> {
          int component = vectors < 0 ? 0 : (int) index[vectors];
          double value = read.getDouble(index);
          least[component] = Math.min(least[component], value);
          greatest[component] = Math.max(greatest[component], value);
        });
    for (int component = 0; isAdded && component < least.length; component++) {
      least[component] += box.from().get(component);
      greatest[component] += box.to().get(component);
    }
    return OmeBox.of(least, greatest);
  }

  @Override
  public boolean isInvertible() {
    return false;
  }

  @Override
  public @Nullable OmeStep inverse() {
    return null;
  }

  @Override
  public double @Nullable [][] matrix() {
    return null;
  }
}
