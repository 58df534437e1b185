package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * A range of a circle of 360 degrees.
 *
 * @param from the west, at most {@code to}
 * @param to the east
 */
record Circle(double from, double to) {
  private static final double TURN = 360;

  static Circle of(double from, double to) {
    double west = from > to ? from - TURN : from;
    if (!(west <= to && to - west <= TURN)) {
      throw new IllegalArgumentException(
          "a range of longitudes is at most a turn of 360 degrees, not " + from + " to " + to);
    }
    return new Circle(west, to);
  }

  /** Reads a coordinate, and selects the positions that are in the range. */
  Mono<Dataset> select(Dataset part, String dimension) {
    return part.index(dimension)
        .flatMap(
            index -> {
              Variable coordinate = part.variable(dimension);
              if (!coordinate.isOfNumbers() || coordinate.dataType().equals(DataTypes.BOOL)) {
                throw new InvalidInputException(
                    "the coordinate " + dimension + " has no numbers, which longitudes are");
              }
              return part.values(coordinate).map(values -> selected(part, coordinate, values));
            });
  }

  private Dataset selected(Dataset part, Variable coordinate, NdArray values) {
    double[] degrees = values.cast(DataTypes.FLOAT64).toDoubleArray();
    boolean areNarrow = values.dataType().equals(DataTypes.FLOAT32);
    List<Map.Entry<Double, Long>> inside = new ArrayList<>();
    for (int i = 0; i < degrees.length; i++) {
      double moved = moved(degrees[i], areNarrow);
      if (!Double.isNaN(moved)) {
        inside.add(Map.entry(moved, (long) i));
      }
    }
    inside.sort(Map.Entry.comparingByKey(Comparator.naturalOrder()));
    List<Map.Entry<Double, Long>> all = new ArrayList<>();
    for (Map.Entry<Double, Long> each : inside) { // 0 and 360 are one meridian
      if (all.isEmpty() || all.get(all.size() - 1).getKey() < each.getKey()) {
        all.add(each);
      }
    }
    inside = all;
    long[] positions = inside.stream().mapToLong(Map.Entry::getValue).toArray();
    double[] labels = inside.stream().mapToDouble(Map.Entry::getKey).toArray();
    NdArray moved = NdArray.ofDoubles(Shape.of(labels.length), labels);
    boolean isReal = values.dataType() instanceof FloatType;
    Variable longitudes =
        new Variable(
            coordinate.name(),
            coordinate.plainAttributes(),
            new MemoryValues(
                coordinate.dimensions(),
                moved.cast(isReal ? values.dataType() : DataTypes.INT64),
                null));
    String dimension = coordinate.name();
    return part.with(dimension, new Axis.Indices(positions)).assign(longitudes);
  }

  /** Returns a longitude that is moved into the range by the fewest turns eastward; NaN outside. */
  private double moved(double degrees, boolean isNarrow) {
    double before = Math.floor((from - degrees) / TURN);
    for (double turns = before; turns <= before + 2; turns++) {
      if (isInside(degrees, turns * TURN, isNarrow)) {
        return Math.max(from, Math.min(to, degrees + turns * TURN));
      }
    }
    return Double.NaN;
  }

  /**
   * Returns true if a longitude is inside when it is moved. The ends of the range are moved in its
   * place, so that they equal the labels of the axis as other labels do: 359.9 less 360 is not
   * -0.1.
   */
  private boolean isInside(double degrees, double moved, boolean isNarrow) {
    double west = from - moved;
    double east = to - moved;
    return degrees >= (isNarrow ? (float) west : west)
        && degrees <= (isNarrow ? (float) east : east);
  }
}
