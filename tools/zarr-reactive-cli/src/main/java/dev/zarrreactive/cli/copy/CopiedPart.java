package dev.zarrreactive.cli.copy;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.LabelOption;
import dev.zarrreactive.cli.options.SelectOption;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.json.JsonString;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The part of SRC that is copied.
 *
 * @param elements the elements of an array; null for all, and for a group
 * @param indices of every array with a dimension of one of these names
 * @param variables the names of the nodes that are copied; empty for all
 */
record CopiedPart(
    @Nullable Selection elements, Map<String, DimensionSelection> indices, Set<String> variables) {
  /** The attributes whose words may name other variables (CF 3.4, 5, 7). */
  private static final List<String> NAMING =
      List.of(
          "coordinates",
          "bounds",
          "climatology",
          "grid_mapping",
          "ancillary_variables",
          "cell_measures",
          "formula_terms");

  /**
   * Finds the part. The labels of coordinates are looked up first, and indices are those of the
   * part that they leave.
   *
   * @param names the variables of a group that are wanted; empty for all
   */
  static Mono<CopiedPart> of(
      NodePlace place, SelectOption select, LabelOption labels, List<String> names) {
    if (!select.isGiven() && !labels.isGiven() && names.isEmpty()) {
      return Mono.just(new CopiedPart(null, Map.of(), Set.of()));
    }
    return place
        .open()
        .flatMap(
            node ->
                node instanceof ZarrArray array
                    ? ofArray(place, array, select, labels, names)
                    : ofGroup((ZarrGroup) node, select, labels, names));
  }

  private static Mono<CopiedPart> ofArray(
      NodePlace place,
      ZarrArray array,
      SelectOption select,
      LabelOption labels,
      List<String> names) {
    if (!names.isEmpty()) {
      throw new CommandFailure("--variables is for a group, and this is an array");
    }
    if (!labels.isGiven() && select.orNull() != null) {
      return Mono.just(new CopiedPart(select.orNull(), Map.of(), Set.of()));
    }
    Set<String> wanted = new LinkedHashSet<>(labels.dimensions());
    wanted.add(array.path().name());
    Mono<Variable> part =
        labels.isGiven()
            ? labels
                .partOf(place, array, wanted)
                .map(dataset -> dataset.variable(array.path().name()).raw())
            : Mono.just(Variable.of(array, List.of(), Set.of()));
    return part.map(
        variable ->
            new CopiedPart(
                kept(array, select.named(variable).storedSelection(select.orAll())),
                Map.of(),
                Set.of()));
  }

  /** Returns a selection that keeps every dimension: an index becomes a slice of length 1. */
  private static Selection kept(ZarrArray array, Selection selection) {
    return selection.resolve(array.shape()) instanceof ResolvedSelection.Orthogonal box
        ? Selection.of(
            box.axes().stream().map(SelectOption::kept).toArray(DimensionSelection[]::new))
        : selection;
  }

  private static Mono<CopiedPart> ofGroup(
      ZarrGroup group, SelectOption select, LabelOption labels, List<String> names) {
    if (select.orNull() != null) {
      throw new CommandFailure(
          "this is a group: --select names its dimensions, as in --select time=0:10,lat=5");
    }
    Set<String> wanted = new LinkedHashSet<>(labels.dimensions());
    wanted.addAll(names);
    return group
        .tree()
        .collectList()
        .map(nodes -> Dataset.of(group, nodes, CfRule.all(), wanted))
        .flatMap(
            dataset ->
                labels
                    .partOf(dataset)
                    .map(select::named)
                    .map(part -> ofGroup(dataset, part, select, labels, names)));
  }

  private static CopiedPart ofGroup(
      Dataset whole, Dataset part, SelectOption select, LabelOption labels, List<String> names) {
    Map<String, DimensionSelection> indices = new LinkedHashMap<>();
    Set<String> dimensions = new LinkedHashSet<>(labels.dimensions());
    dimensions.addAll(select.dimensions());
    for (String dimension : dimensions) {
      for (Variable variable : whole.variables().values()) {
        int axis = variable.dimensions().indexOf(dimension);
        if (axis >= 0) {
          Selection stored = part.variable(variable.name()).storedSelection(Selection.all());
          indices.put(
              dimension,
              SelectOption.kept(
                  ((ResolvedSelection.Orthogonal) stored.resolve(variable.array().shape()))
                      .axes()
                      .get(axis)));
          break;
        }
      }
    }
    return new CopiedPart(
        null, indices, names.isEmpty() ? Set.of() : withCoordinates(whole, names));
  }

  /** Returns the names of variables and of all that they need to be understood. */
  private static Set<String> withCoordinates(Dataset dataset, List<String> names) {
    Set<String> found = new LinkedHashSet<>();
    Set<String> dimensions = new LinkedHashSet<>();
    Deque<String> open = new ArrayDeque<>();
    for (String name : names) {
      dimensions.addAll(dataset.variable(name).dimensions());
      open.add(name);
    }
    dataset
        .coordinates()
        .forEach(
            (name, coordinate) -> {
              if (dimensions.containsAll(coordinate.dimensions())
                  && !coordinate.dimensions().isEmpty()) {
                open.add(name);
              }
            });
    while (!open.isEmpty()) {
      String name = open.remove();
      if (found.add(name)) {
        for (String attribute : NAMING) {
          if (dataset.variable(name).array().attributes().get(attribute)
              instanceof JsonString text) {
            for (String word : text.value().split("[\\s:]+", -1)) {
              if (dataset.variables().containsKey(word)) {
                open.add(word);
              }
            }
          }
        }
      }
    }
    return found;
  }

  /** Returns the copy of this part. */
  ZarrCopy of(ZarrCopy copy) {
    ZarrCopy part = elements == null ? copy : copy.select(elements);
    for (Map.Entry<String, DimensionSelection> each : indices.entrySet()) {
      part = part.select(each.getKey(), each.getValue());
    }
    return variables.isEmpty() ? part : part.include(variables.toArray(String[]::new));
  }
}
