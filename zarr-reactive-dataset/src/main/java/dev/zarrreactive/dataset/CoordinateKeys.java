package dev.zarrreactive.dataset;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Finds coordinates by the attributes of CF (section 4). */
final class CoordinateKeys {
  private static final Set<String> NORTH =
      Set.of("degrees_north", "degree_north", "degree_n", "degrees_n", "degreen", "degreesn");
  private static final Set<String> EAST =
      Set.of("degrees_east", "degree_east", "degree_e", "degrees_e", "degreee", "degreese");

  private CoordinateKeys() {}

  /** Returns the coordinate of the first way of looking that finds exactly one. */
  static Optional<Variable> find(String key, Collection<Variable> coordinates) {
    List<Predicate<Variable>> ways =
        List.of(
            coordinate -> Dataset.text(coordinate.attributes(), "axis").equals(key),
            coordinate -> Dataset.text(coordinate.attributes(), "standard_name").equals(key),
            coordinate -> coordinate.name().equals(key),
            coordinate -> isByUnits(key, coordinate));
    for (Predicate<Variable> way : ways) {
      List<Variable> found = coordinates.stream().filter(way).toList();
      if (found.size() == 1) {
        return Optional.of(found.get(0));
      }
    }
    return Optional.empty();
  }

  private static boolean isByUnits(String key, Variable coordinate) {
    String units = Dataset.text(coordinate.attributes(), "units").toLowerCase(Locale.ROOT);
    return switch (key) {
      case "latitude", "Y" -> NORTH.contains(units);
      case "longitude", "X" -> EAST.contains(units);
      case "time", "T" ->
          coordinate.isIndex() && coordinate.times().flatMap(times -> times.calendar()).isPresent();
      default -> false;
    };
  }
}
