package dev.zarrreactive.dataset;

import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Selections of points, which have one position of each of several dimensions. */
final class Points {
  private Points() {}

  /**
   * Returns the labels of points, by dimension.
   *
   * @throws IllegalArgumentException if their numbers differ, or there are none
   */
  static Map<String, List<?>> checked(Map<String, ? extends List<?>> labels) {
    Map<String, List<?>> all = new LinkedHashMap<>();
    labels.forEach((dimension, its) -> all.put(dimension, List.copyOf(its)));
    Set<Integer> counts = Set.copyOf(all.values().stream().map(List::size).toList());
    if (counts.size() != 1) {
      throw new IllegalArgumentException(
          all.isEmpty()
              ? "points have labels of at least one dimension"
              : "points have one label of each dimension, but there are " + all);
    }
    return all;
  }

  /**
   * Returns indices as positions.
   *
   * @throws InvalidInputException for one that is outside
   */
  static List<long[]> within(Dataset part, Map<String, List<?>> indices) {
    List<long[]> positions = new ArrayList<>();
    indices.forEach(
        (dimension, its) -> {
          long size = part.size(dimension);
          positions.add(
              its.stream()
                  .mapToLong(index -> (Long) index)
                  .map(index -> index < 0 && index >= -size ? index + size : index)
                  .toArray());
          for (long position : positions.get(positions.size() - 1)) {
            if (position < 0 || position >= size) {
              throw new InvalidInputException(
                  "the index " + position + " is outside of " + dimension + ", which has " + size);
            }
          }
        });
    return positions;
  }

  /** Returns all variables at points; those without their dimensions stay as they are. */
  static Dataset select(
      Dataset part, String dimension, List<String> inside, List<long[]> positions) {
    if (part.sizes().containsKey(dimension) && !inside.contains(dimension)) {
      throw new InvalidInputException(
          "the dimension of points cannot be " + dimension + ", which the dataset has");
    }
    return part.changed(variable -> at(variable, dimension, inside, positions));
  }

  private static Variable at(
      Variable variable, String dimension, List<String> inside, List<long[]> positions) {
    List<String> its = inside.stream().filter(variable.dimensions()::contains).toList();
    if (its.isEmpty()) {
      return variable;
    }
    long[][] own =
        its.stream().map(name -> positions.get(inside.indexOf(name))).toArray(long[][]::new);
    return new Variable(
        variable.name(),
        variable.plainAttributes(),
        new PointValues(variable.values(), its, own, dimension));
  }
}
