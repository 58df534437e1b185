package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import java.util.stream.LongStream;
import reactor.core.publisher.Mono;

/** Selections by conditions of coordinates. */
final class ConditionPlaces {
  private ConditionPlaces() {}

  /** Reads a condition, and selects the positions where it holds. */
  static Mono<Dataset> select(Dataset part, Variable condition) {
    return Mono.defer(
        () -> {
          if (condition.dimensions().size() != 1 || !condition.dataType().equals(DataTypes.BOOL)) {
            throw new InvalidInputException(
                "a condition has booleans along one dimension, and " + condition + " has not");
          }
          String dimension = condition.dimensions().get(0);
          long size = part.size(dimension);
          if (condition.shape().extent(0) != size) {
            throw new InvalidInputException(
                "the condition "
                    + condition
                    + " has the extent "
                    + condition.shape().extent(0)
                    + ", but "
                    + size
                    + " are selected so far; make it of that part");
          }
          return condition
              .read()
              .map(
                  values -> {
                    boolean[] holds = values.toBooleanArray();
                    long[] positions =
                        LongStream.range(0, holds.length).filter(i -> holds[(int) i]).toArray();
                    return part.with(dimension, new Axis.Indices(positions));
                  });
        });
  }
}
