package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A dataset that is described, to be written as xarray does.
 *
 * @param dimensions the extents that were said
 * @param group the metadata of the group
 */
record DatasetOutput(
    List<PlannedVariable> variables,
    Map<String, Long> dimensions,
    GroupMetadata group,
    boolean isConsolidated,
    boolean isInAnyOrder) {
  private static final String COORDINATES = "coordinates";

  /** The number of arrays that are created at a time. */
  private static final int CREATED = 16;

  /** Returns the extents of all dimensions. */
  Map<String, Long> sizes() {
    Map<String, Long> sizes = new LinkedHashMap<>(dimensions);
    Map<String, String> first = new HashMap<>();
    for (PlannedVariable variable : variables) {
      Shape shape = variable.knownShape();
      for (int d = 0; shape != null && d < shape.rank(); d++) {
        String dimension = variable.dimensions().get(d);
        Long other = sizes.putIfAbsent(dimension, shape.extent(d));
        if (other != null && other != shape.extent(d)) {
          throw new IllegalArgumentException(
              "the dimension "
                  + dimension
                  + " has the extent "
                  + shape.extent(d)
                  + " in "
                  + variable.name()
                  + ", but "
                  + other
                  + (first.containsKey(dimension) ? " in " + first.get(dimension) : ""));
        }
        first.putIfAbsent(dimension, variable.name());
      }
    }
    for (PlannedVariable variable : variables) {
      for (String dimension : variable.dimensions()) {
        if (!sizes.containsKey(dimension)) {
          throw new IllegalArgumentException(
              "the extent of "
                  + dimension
                  + " in "
                  + variable.name()
                  + " is unknown; give its coordinate, or dimension(\""
                  + dimension
                  + "\", extent)");
        }
      }
    }
    return sizes;
  }

  /**
   * Returns the metadata of the group, with the coordinates that no variable names.
   *
   * @throws IllegalArgumentException if variables contradict each other
   */
  GroupMetadata checkedGroup() {
    arrays();
    Set<String> rest = new TreeSet<>();
    variables.stream()
        .filter(PlannedVariable::isOtherCoordinate)
        .filter(coordinate -> variables.stream().noneMatch(other -> has(other, coordinate)))
        .forEach(coordinate -> rest.add(coordinate.name()));
    return rest.isEmpty()
        ? group
        : group.withAttributes(
            group.attributes().with(COORDINATES, words(group.attributes(), rest)));
  }

  /** Returns true if a variable names a coordinate. */
  private static boolean has(PlannedVariable variable, PlannedVariable coordinate) {
    return !variable.isCoordinate() && variable.dimensions().containsAll(coordinate.dimensions());
  }

  /** Returns the words of an attribute that is there, and others. */
  private static String words(JsonObject attributes, Set<String> others) {
    Set<String> words = new LinkedHashSet<>();
    String there = Dataset.text(attributes, COORDINATES);
    if (!there.isBlank()) {
      words.addAll(List.of(there.strip().split("\\s+")));
    }
    words.addAll(others);
    return String.join(" ", words);
  }

  /** Returns the metadata of the arrays, by the names of the variables. */
  Map<String, ArrayMetadata> arrays() {
    Map<String, Long> sizes = sizes();
    Map<String, ArrayMetadata> arrays = new LinkedHashMap<>();
    Map<String, JsonObject> ofBounds = new HashMap<>();
    for (PlannedVariable variable : variables) {
      ArrayMetadata array = variable.metadata(group.zarrFormat(), sizes, coordinatesOf(variable));
      arrays.put(variable.name(), array);
      ofBounds.put(variable.text("bounds"), timesOf(array.attributes()));
    }
    for (PlannedVariable variable : variables) { // bounds have the units of their coordinate
      JsonObject units = ofBounds.getOrDefault(variable.name(), JsonObject.EMPTY);
      if (!units.members().isEmpty()) {
        arrays.put(variable.name(), variable.metadata(group.zarrFormat(), sizes, units));
      }
    }
    return arrays;
  }

  private static JsonObject timesOf(JsonObject coordinate) {
    JsonObject times = JsonObject.EMPTY;
    if (TimeCoding.isSince(Dataset.text(coordinate, "units"))) {
      for (String name : List.of("units", "calendar")) {
        JsonValue value = coordinate.get(name);
        times = value == null ? times : times.with(name, value);
      }
    }
    return times;
  }

  private JsonObject coordinatesOf(PlannedVariable variable) {
    Set<String> names = new TreeSet<>();
    variables.stream()
        .filter(PlannedVariable::isOtherCoordinate)
        .filter(coordinate -> has(variable, coordinate))
        .forEach(coordinate -> names.add(coordinate.name()));
    if (names.isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonObject there = JsonObject.EMPTY.with(COORDINATES, variable.text(COORDINATES));
    return JsonObject.EMPTY.with(COORDINATES, words(there, names));
  }

  /** Creates the arrays in a group, writes their values, and opens the dataset. */
  Mono<Dataset> write(ZarrGroup to, ZarrOptions options) {
    Map<String, ArrayMetadata> arrays = arrays();
    return Concurrently.map(
            Flux.fromIterable(arrays.entrySet()),
            CREATED,
            array -> to.createArray(array.getKey(), array.getValue()))
        .collectMap(array -> array.path().name())
        .flatMap(
            created ->
                Concurrently.map(
                        Flux.fromIterable(variables),
                        Math.max(1, variables.size()), // streams may come from one source
                        variable -> {
                          ZarrArray array = created.get(variable.name());
                          return array == null
                              ? Mono.<Void>empty()
                              : variable.writeTo(withAllChunks(array, options));
                        })
                    .then())
        .then(Mono.defer(() -> isConsolidated ? to.consolidate() : Mono.just(to)))
        .flatMap(Dataset::of);
  }

  /**
   * Returns an array that stores chunks of zeros, too, if it has no fill value: other programs do
   * not know their elements.
   */
  static ZarrArray withAllChunks(ZarrArray array, ZarrOptions options) {
    boolean hasNone =
        array.metadata().zarrFormat() == 2
            && array.metadata().document().get("fill_value") == JsonNull.NULL;
    return hasNone ? array.withOptions(options.withWriteEmptyChunks(true)) : array;
  }
}
