package dev.zarrreactive.dataset;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes datasets of nodes. A group is looked at when it is asked for, once: others stay usable
 * beside one that is no dataset.
 */
final class DatasetBuilder {
  /** The attributes that name variables with blanks between them. */
  private static final List<String> NAMES =
      List.of(
          "bounds",
          "climatology",
          "geometry",
          "node_coordinates",
          "node_count",
          "part_node_count",
          "interior_ring");

  /** The attributes in which a word before each name says its role. */
  private static final List<String> NAMES_WITH_ROLES = List.of("cell_measures", "formula_terms");

  private final Set<CfRule> rules;
  private final Map<NodePath, List<ZarrNode>> children;
  private final Map<NodePath, Dataset> made = new ConcurrentHashMap<>();

  DatasetBuilder(Set<CfRule> rules, List<ZarrNode> nodes) {
    this.rules = rules;
    this.children =
        nodes.stream()
            .filter(node -> !node.path().isRoot())
            .sorted(Comparator.comparing(ZarrNode::path))
            .collect(Collectors.groupingBy(node -> node.path().parent()));
  }

  /**
   * Returns the dataset of a group.
   *
   * @throws MetadataException if its arrays do not agree about the extent of a dimension
   */
  Dataset dataset(ZarrGroup group) {
    Dataset before = made.get(group.path());
    if (before != null) {
      return before;
    }
    Dataset dataset = make(group);
    Dataset first = made.putIfAbsent(group.path(), dataset);
    return first == null ? dataset : first;
  }

  /**
   * Returns the nodes without those arrays of a group that give a dimension another extent than the
   * arrays of some names, or than another array before them.
   */
  static List<ZarrNode> agreeing(ZarrGroup group, List<ZarrNode> nodes, Collection<String> names) {
    Map<String, Long> extents = new HashMap<>();
    Set<ZarrNode> others = new LinkedHashSet<>();
    for (ZarrNode node : nodes) {
      if (node instanceof ZarrArray array && isIn(group, array)) {
        if (names.contains(name(array))) {
          extents(array).forEach(extents::putIfAbsent);
        } else {
          others.add(array);
        }
      }
    }
    List<ZarrNode> agreeing = new ArrayList<>(nodes);
    for (ZarrNode node : others) {
      Map<String, Long> its = extents((ZarrArray) node);
      if (its.entrySet().stream()
          .allMatch(
              each ->
                  each.getValue().equals(extents.getOrDefault(each.getKey(), each.getValue())))) {
        extents.putAll(its);
      } else {
        agreeing.remove(node);
      }
    }
    return agreeing;
  }

  private static boolean isIn(ZarrGroup group, ZarrNode node) {
    return !node.path().isRoot() && node.path().parent().equals(group.path());
  }

  private static Map<String, Long> extents(ZarrArray array) {
    Map<String, Long> extents = new HashMap<>();
    List<String> names = dimensions(array);
    for (int d = 0; d < names.size(); d++) {
      extents.putIfAbsent(names.get(d), array.shape().extent(d));
    }
    return extents;
  }

  /** Returns the groups directly in a group, by name. */
  Map<String, ZarrGroup> groups(NodePath path) {
    Map<String, ZarrGroup> groups = new LinkedHashMap<>();
    of(ZarrGroup.class, children.getOrDefault(path, List.of()))
        .forEach(child -> groups.put(child.path().name(), child));
    return groups;
  }

  private Dataset make(ZarrGroup group) {
    List<ZarrNode> nodes = children.getOrDefault(group.path(), List.of());
    List<ZarrArray> arrays = of(ZarrArray.class, nodes);
    checkExtents(arrays);
    Map<String, Variable> variables = variables(arrays);
    return new Dataset(
        group,
        Collections.unmodifiableMap(variables),
        coordinates(group, variables),
        sizes(variables.values()),
        this,
        of(UnreadableNode.class, nodes),
        new CoordinateValues());
  }

  private static <T> List<T> of(Class<T> type, List<ZarrNode> nodes) {
    return nodes.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private Map<String, Variable> variables(List<ZarrArray> arrays) {
    Map<String, JsonObject> attributes = new HashMap<>();
    arrays.forEach(array -> attributes.put(name(array), array.attributes()));
    arrays.forEach(array -> inherit(array.attributes(), attributes));
    Set<String> ofCharacters = dimensionsOfCharacters(arrays);
    Map<String, Variable> variables = new TreeMap<>();
    for (ZarrArray array : arrays) {
      String name = name(array);
      List<String> its = dimensions(array);
      boolean joins =
          isOfCharacters(array.metadata())
              && !its.isEmpty()
              && ofCharacters.contains(its.get(its.size() - 1));
      CfDecoding decoding =
          CfDecoding.of(
              array.metadata(), attributes.getOrDefault(name, array.attributes()), rules, joins);
      List<DimensionPart> parts =
          IntStream.range(0, its.size())
              .mapToObj(d -> DimensionPart.whole(array.shape().extent(d)))
              .toList();
      JsonObject shown =
          array.metadata().zarrFormat() == 2
              ? array.attributes().without(DimensionNames.ATTRIBUTE)
              : array.attributes();
      variables.put(name, new Variable(name, shown, new StoredValues(array, decoding, its, parts)));
    }
    return variables;
  }

  /**
   * Returns the variable that an array is among the arrays of its group, whatever their extents.
   */
  static Variable variable(ZarrArray array, List<ZarrArray> beside, Set<CfRule> rules) {
    List<ZarrArray> all = new ArrayList<>(List.of(array));
    beside.stream().filter(other -> !other.path().equals(array.path())).forEach(all::add);
    return Objects.requireNonNull(
        new DatasetBuilder(rules, List.of()).variables(all).get(name(array)));
  }

  /**
   * Returns true if other arrays of its group have no say in how an array is decoded. They say
   * whether characters are joined, and give bounds of times their units.
   */
  static boolean isDecodedAlone(ArrayMetadata array) {
    int rank = array.shape().rank();
    String units = Dataset.text(array.attributes(), "units");
    boolean lacksUnits =
        units.isEmpty()
            || (TimeCoding.isSince(units)
                && Dataset.text(array.attributes(), "calendar").isEmpty());
    boolean canBeBounds = rank > 1 && array.shape().extent(rank - 1) == 2 && lacksUnits;
    return !canBeBounds && !(isOfCharacters(array) && rank > 0);
  }

  private static String name(ZarrNode node) {
    return node.path().name();
  }

  static List<String> dimensions(ZarrArray array) {
    List<String> names = new ArrayList<>();
    for (String known : DimensionNames.of(array.metadata()).names()) {
      names.add(known == null ? name(array) + "_" + names.size() : known);
    }
    return names;
  }

  private static void checkExtents(List<ZarrArray> arrays) {
    Map<String, ZarrArray> first = new HashMap<>();
    Map<String, Long> extents = new HashMap<>();
    for (ZarrArray array : arrays) {
      List<String> names = dimensions(array);
      for (int d = 0; d < names.size(); d++) {
        String dimension = names.get(d);
        long extent = array.shape().extent(d);
        Long other = extents.putIfAbsent(dimension, extent);
        ZarrArray before = first.putIfAbsent(dimension, array);
        if (other != null && other != extent && before != null) {
          throw new MetadataException(
              "the dimension "
                  + dimension
                  + " has the extent "
                  + extent
                  + ", but "
                  + other
                  + " in "
                  + before.path()
                  + "; arrays of one group share their dimensions",
              Location.ofNode(array.path().value()));
        }
      }
    }
  }

  /** Gives bounds of times their units and calendar (CF 7.1). */
  static void inherit(JsonObject coordinate, Map<String, JsonObject> attributes) {
    String bounds = Dataset.text(coordinate, "bounds");
    JsonObject its = attributes.get(bounds);
    if (its != null && TimeCoding.isSince(Dataset.text(coordinate, "units"))) {
      for (String name : List.of("units", "calendar")) {
        JsonValue value = coordinate.get(name);
        if (value != null && its.get(name) == null) {
          its = its.with(name, value);
        }
      }
      attributes.put(bounds, its);
    }
  }

  private static boolean isOfCharacters(ArrayMetadata array) {
    return array.dataType() instanceof NullTerminatedBytesType type && type.itemSize() == 1;
  }

  /** Returns the dimensions that are the last one of all their arrays, all of characters. */
  private static Set<String> dimensionsOfCharacters(List<ZarrArray> arrays) {
    Set<String> candidates = new LinkedHashSet<>();
    Set<String> others = new LinkedHashSet<>(arrays.stream().map(DatasetBuilder::name).toList());
    for (ZarrArray array : arrays) {
      List<String> names = dimensions(array);
      int characters = isOfCharacters(array.metadata()) ? names.size() - 1 : names.size();
      others.addAll(names.subList(0, Math.max(0, characters)));
      candidates.addAll(names);
    }
    candidates.removeAll(others);
    return candidates;
  }

  private static Set<String> coordinates(ZarrGroup group, Map<String, Variable> variables) {
    Set<String> coordinates = new LinkedHashSet<>();
    variables.values().stream()
        .flatMap(variable -> variable.stored().dimensionsOfArray().stream())
        .filter(variables::containsKey)
        .forEach(coordinates::add);
    words(Dataset.text(group.attributes(), "coordinates")).forEach(coordinates::add);
    for (Variable variable : variables.values()) {
      JsonObject attributes = variable.attributes();
      words(Dataset.text(attributes, "coordinates")).forEach(coordinates::add);
      if (!Dataset.text(attributes, "axis").isEmpty()) {
        coordinates.add(variable.name());
      }
      NAMES.forEach(key -> addAll(words(Dataset.text(attributes, key)), variables, coordinates));
      NAMES_WITH_ROLES.forEach(
          key ->
              addAll(
                  words(Dataset.text(attributes, key)).stream()
                      .filter(word -> !word.endsWith(":"))
                      .toList(),
                  variables,
                  coordinates));
      addAll(gridMappings(words(Dataset.text(attributes, "grid_mapping"))), variables, coordinates);
    }
    coordinates.retainAll(variables.keySet());
    return coordinates;
  }

  /** Returns the names of {@code crs} and of the extended form {@code crs: x y other: lat lon}. */
  private static List<String> gridMappings(List<String> words) {
    return words.size() == 1
        ? words
        : words.stream()
            .filter(word -> word.endsWith(":"))
            .map(word -> word.substring(0, word.length() - 1))
            .toList();
  }

  private static void addAll(
      List<String> names, Map<String, Variable> variables, Set<String> coordinates) {
    if (variables.keySet().containsAll(names)) {
      coordinates.addAll(names);
    }
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().replace(" :", ":").split("\\s+"));
  }

  static Map<String, Long> sizes(Collection<Variable> variables) {
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (Variable variable : variables) {
      List<String> names = variable.dimensions();
      for (int d = 0; d < names.size(); d++) {
        sizes.putIfAbsent(names.get(d), variable.shape().extent(d));
      }
    }
    return Collections.unmodifiableMap(sizes);
  }
}
