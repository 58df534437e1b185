package dev.zarrreactive.partition;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows and the columns of a table of cells, as the metadata have them: the dimensions of a row,
 * and the variables that have no other dimension. An engine gives them its types. Immutable.
 *
 * @param dimensions the names of the dimensions of a row, slowest first
 * @param extents the number of indices of each
 * @param columns the columns by their names: dimensions, other coordinates, variables, indices
 * @param selected the cells that are selected
 */
public record TableLayout(
    List<String> dimensions, List<Long> extents, Map<String, Column> columns, IndexBox selected) {
  /** The beginning of the names of columns with the index in a dimension. */
  public static final String INDEX = "_index_";

  /** Copies the collections. */
  public TableLayout {
    dimensions = List.copyOf(dimensions);
    extents = List.copyOf(extents);
    columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
  }

  /**
   * What is asked of the metadata.
   *
   * @param variables the names of variables; empty for all
   * @param dimensions the names of the dimensions of a row; empty for those of the variables
   * @param select the selection of the dimensions, in NumPy notation; empty for all
   * @param rules the rules by which values are decoded
   */
  public record Request(
      List<String> variables, List<String> dimensions, String select, Set<CfRule> rules) {
    /** Copies the collections. */
    public Request {
      variables = List.copyOf(variables);
      dimensions = List.copyOf(dimensions);
      rules = Set.copyOf(rules);
    }
  }

  /**
   * A column: the values of a variable, or the index of a dimension.
   *
   * @param array the array of the variable; null for an index
   * @param decoding what its values mean; null for an index
   * @param dimensions the rows' dimensions that the values have, in the values' order
   * @param isLabel true for a coordinate
   * @param isHidden true for the index of a dimension beside its column
   */
  public record Column(
      String name,
      @Nullable ZarrArray array,
      @Nullable CfDecoding decoding,
      List<Integer> dimensions,
      boolean isLabel,
      boolean isHidden) {
    /** Copies {@code dimensions}. */
    public Column {
      dimensions = List.copyOf(dimensions);
    }
  }

  /** An array with the names of its dimensions. */
  private record Named(
      String name, ZarrArray array, CfDecoding decoding, List<String> dimensions, boolean isLabel) {
    static Named of(Variable variable, boolean isCoordinate) {
      return new Named(
          variable.name(),
          variable.array(),
          variable.decoding(),
          variable.dimensions(),
          isCoordinate);
    }
  }

  /**
   * Finds the layout of a table.
   *
   * @param node the group of the dataset, or the one array of the table
   * @param dataset the dataset of the group; null for an array
   * @throws IllegalArgumentException if the variables have no rows in common, or names are unknown
   * @throws dev.zarrreactive.error.ZarrException of a variable that is asked for by its name and
   *     cannot be opened
   */
  public static TableLayout of(Request request, ZarrNode node, @Nullable Dataset dataset) {
    List<Named> all = new ArrayList<>();
    if (dataset != null) {
      checkReadable(request, dataset);
      Set<String> coordinates = dataset.coordinates().keySet();
      dataset
          .variables()
          .values()
          .forEach(variable -> all.add(Named.of(variable, coordinates.contains(variable.name()))));
    } else if (node instanceof ZarrArray array) {
      all.add(alone(array, request.rules));
    }
    List<Named> wanted = wanted(request, all);
    List<String> dimensions = dimensions(request, all, wanted);
    List<Named> chosen =
        all.stream()
            .filter(
                one ->
                    dimensions.containsAll(one.dimensions) && (one.isLabel || wanted.contains(one)))
            .toList();
    Map<String, Long> sizes = new LinkedHashMap<>();
    for (Named one : all) {
      for (int d = 0; d < one.dimensions.size(); d++) {
        sizes.putIfAbsent(one.dimensions.get(d), one.array.shape().extent(d));
      }
    }
    List<Long> extents = dimensions.stream().map(sizes::get).toList();
    return new TableLayout(
        dimensions, extents, columns(dimensions, chosen), selected(request.select, extents));
  }

  /** Throws the error of a variable that is asked for and cannot be opened. */
  private static void checkReadable(Request request, Dataset dataset) {
    for (UnreadableNode node : dataset.unreadable()) {
      if (request.variables.contains(node.path().name())) {
        throw node.error();
      }
    }
  }

  private static Named alone(ZarrArray array, Set<CfRule> rules) {
    CfDecoding decoding = CfDecoding.of(array.metadata(), array.attributes(), rules, false);
    List<String> names = new ArrayList<>();
    for (String known : DimensionNames.of(array.metadata()).names()) {
      names.add(known == null ? "dim_" + names.size() : known);
    }
    String name = array.path().name();
    return new Named(name.isEmpty() ? "value" : name, array, decoding, names, false);
  }

  private static List<Named> wanted(Request request, List<Named> all) {
    Set<String> names = new LinkedHashSet<>(request.variables);
    all.forEach(one -> names.remove(one.name));
    if (!names.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no variable "
              + names.iterator().next()
              + ", but "
              + String.join(", ", all.stream().map(Named::name).toList()));
    }
    List<Named> wanted =
        all.stream()
            .filter(
                one ->
                    request.variables.isEmpty()
                        ? !one.isLabel
                        : request.variables.contains(one.name))
            .toList();
    if (!request.variables.isEmpty() || request.dimensions.isEmpty()) {
      return wanted;
    }
    return wanted.stream().filter(one -> request.dimensions.containsAll(one.dimensions)).toList();
  }

  /** Returns the named dimensions of a row, or all of a widest variable. */
  private static List<String> dimensions(Request request, List<Named> all, List<Named> wanted) {
    Set<String> known = new LinkedHashSet<>();
    all.forEach(one -> known.addAll(one.dimensions));
    Set<String> needed = new LinkedHashSet<>();
    wanted.forEach(one -> needed.addAll(one.dimensions));
    if (!request.dimensions.isEmpty()) {
      if (!known.containsAll(request.dimensions)) {
        throw new IllegalArgumentException(
            "the dimensions are " + known + ", not " + request.dimensions);
      }
      if (!request.dimensions.containsAll(needed)) {
        throw new IllegalArgumentException(
            "the variables "
                + request.variables
                + " have the dimensions "
                + needed
                + ", more than "
                + request.dimensions);
      }
      return request.dimensions;
    }
    if (wanted.isEmpty()) {
      return List.copyOf(known);
    }
    return wanted.stream()
        .filter(one -> one.dimensions.containsAll(needed))
        .findFirst()
        .map(Named::dimensions)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no row can have all variables, whose dimensions differ: "
                        + sets(wanted)
                        + "; choose some with the option variables, or name the dimensions of a row"
                        + " with the option dimensions"));
  }

  private static String sets(List<Named> variables) {
    Map<List<String>, Set<String>> sets = new LinkedHashMap<>();
    variables.forEach(
        one -> sets.computeIfAbsent(one.dimensions, key -> new TreeSet<>()).add(one.name));
    List<String> texts = new ArrayList<>();
    sets.forEach((names, of) -> texts.add(String.join(", ", of) + " " + names));
    return String.join("; ", texts);
  }

  private static Map<String, Column> columns(List<String> dimensions, List<Named> chosen) {
    Map<String, Column> columns = new LinkedHashMap<>();
    for (int d = 0; d < dimensions.size(); d++) {
      String dimension = dimensions.get(d);
      Column label = null;
      for (Named one : chosen) {
        if (one.name.equals(dimension) && one.dimensions.equals(List.of(dimension))) {
          label = column(dimensions, one);
        }
      }
      columns.put(dimension, label == null ? index(dimension, d, false) : label);
    }
    for (boolean areLabels : new boolean[] {true, false}) {
      for (Named one : chosen) {
        if (one.isLabel == areLabels && !columns.containsKey(one.name)) {
          columns.put(one.name, column(dimensions, one));
        } else if (!one.dimensions.equals(List.of(one.name)) && dimensions.contains(one.name)) {
          throw new IllegalArgumentException(
              "the variable " + one.name + " has the name of a dimension, and other dimensions");
        }
      }
    }
    for (int d = 0; d < dimensions.size(); d++) {
      String name = INDEX + dimensions.get(d);
      columns.putIfAbsent(name, index(name, d, true));
    }
    return columns;
  }

  private static Column index(String name, int dimension, boolean isHidden) {
    return new Column(name, null, null, List.of(dimension), true, isHidden);
  }

  private static Column column(List<String> dimensions, Named one) {
    return new Column(
        one.name,
        one.array,
        one.decoding,
        one.dimensions.stream().map(dimensions::indexOf).toList(),
        one.isLabel,
        false);
  }

  private static IndexBox selected(String select, List<Long> extents) {
    long[] all = extents.stream().mapToLong(extent -> extent).toArray();
    if (select.isEmpty()) {
      return IndexBox.all(all);
    }
    ResolvedSelection resolved = Selection.parse(select).resolve(Shape.of(all));
    if (!(resolved instanceof ResolvedSelection.Orthogonal orthogonal)) {
      throw new IllegalArgumentException("the option select has no points");
    }
    return new IndexBox(orthogonal.axes().stream().map(TableLayout::ranges).toList());
  }

  private static IndexRanges ranges(Axis axis) {
    if (axis instanceof Axis.Range range && (range.step() == 1 || range.count() <= 1)) {
      return IndexRanges.of(range.start(), range.start() + range.count());
    }
    long[] indices;
    if (axis instanceof Axis.Range range) {
      indices = new long[Math.toIntExact(range.count())];
      Arrays.setAll(indices, i -> range.start() + i * range.step());
    } else {
      indices = ((Axis.Indices) axis).toArray();
    }
    return IndexRanges.ofIndices(indices);
  }
}
