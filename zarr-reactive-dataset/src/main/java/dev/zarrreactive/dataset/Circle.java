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
    List<Map.Entry<Double, Long>> inside = new ArrayList<>();
    for (int i = 0; i < degrees.length; i++) {
      double moved = degrees[i] + Math.ceil((from - degrees[i]) / TURN) * TURN;
      moved = moved - TURN >= from ? moved - TURN : moved;
      if (moved <= to) {
        inside.add(Map.entry(moved, (long) i));
      }
    }
    inside.sort(Map.Entry.comparingByKey(Comparator.naturalOrder()));
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
}
