package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.internal.expression.Operator;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Statistics of the variables of a dataset: over whole dimensions, of groups, or of periods. Each
 * result is a dataset again, with its variables in memory; it has the coordinates whose dimensions
 * are left, and the labels of groups as the coordinate of a dimension. Immutable.
 *
 * <p>The variables are those that are named, or all data variables of numbers; data variables
 * without a reduced dimension stay as they are. Their attributes are kept, and {@code cell_methods}
 * (CF 7.3) says what was computed. Values, memory, signals and errors are those of {@link
 * Reduction}. Two variables are read at a time.
 */
public final class DatasetReduction {
  private static final int CONCURRENCY = 2;

  private final Dataset dataset;
  private final Set<String> over;
  private final @Nullable Division division;
  private final boolean keepsMissing;
  private final @Nullable Variable weights;

  /**
   * How a dimension is divided into groups.
   *
   * @param groups the groups, which a publisher emits
   */
  record Division(String dimension, Mono<Groups> groups) {}

  DatasetReduction(
      Dataset dataset,
      Set<String> over,
      @Nullable Division division,
      boolean keepsMissing,
      @Nullable Variable weights) {
    this.dataset = dataset;
    this.over = over;
    this.division = division;
    this.keepsMissing = keepsMissing;
    this.weights = weights;
  }

  /**
   * Returns statistics over further dimensions, too.
   *
   * @throws IllegalArgumentException if the dataset lacks one of them, or it has groups
   */
  public DatasetReduction over(String... dimensions) {
    Set<String> all = new LinkedHashSet<>(over);
    for (String name : dimensions) {
      dataset.size(name);
      if (division != null && division.dimension().equals(name)) {
        throw new IllegalArgumentException("the dimension " + name + " is divided into groups");
      }
      all.add(name);
    }
    return new DatasetReduction(dataset, all, division, keepsMissing, weights);
  }

  /** Returns the same statistics, which are missing where a value is: {@code skipna=False}. */
  public DatasetReduction keepingMissing() {
    return new DatasetReduction(dataset, over, division, true, weights);
  }

  /** Returns sums and means with weights; as {@link Reduction#weighted}. */
  public DatasetReduction weighted(Variable by) {
    return new DatasetReduction(dataset, over, division, keepsMissing, by);
  }

  /** Computes {@link Statistic#MEAN} of some variables, or of all. */
  public Mono<Dataset> mean(String... variables) {
    return only(Statistic.MEAN, variables);
  }

  /** Computes {@link Statistic#SUM} of some variables, or of all. */
  public Mono<Dataset> sum(String... variables) {
    return only(Statistic.SUM, variables);
  }

  /** Computes {@link Statistic#MIN} of some variables, or of all. */
  public Mono<Dataset> min(String... variables) {
    return only(Statistic.MIN, variables);
  }

  /** Computes {@link Statistic#MAX} of some variables, or of all. */
  public Mono<Dataset> max(String... variables) {
    return only(Statistic.MAX, variables);
  }

  /** Computes {@link Statistic#STD} of some variables, or of all. */
  public Mono<Dataset> std(String... variables) {
    return only(Statistic.STD, variables);
  }

  /** Computes {@link Statistic#COUNT} of some variables, or of all. */
  public Mono<Dataset> count(String... variables) {
    return only(Statistic.COUNT, variables);
  }

  private Mono<Dataset> only(Statistic statistic, String... variables) {
    return statistics(List.of(variables), statistic)
        .map(all -> Objects.requireNonNull(all.get(statistic)));
  }

  /**
   * Computes several statistics, while it reads the chunks once.
   *
   * @param variables the names of some variables; none for all
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Map<Statistic, Dataset>> statistics(List<String> variables, Statistic... statistics) {
    Map<String, Variable> reduced = new LinkedHashMap<>();
    Map<String, Variable> kept = new LinkedHashMap<>();
    for (String name : variables) {
      Variable variable = dataset.variable(name);
      if (!isReduced(variable)) {
        throw new IllegalArgumentException(
            variable + " has none of the dimensions " + reducedDimensions());
      }
      reduced.put(name, variable);
    }
    if (variables.isEmpty()) {
      dataset
          .dataVariables()
          .forEach(
              (name, variable) -> {
                if (!isReduced(variable)) {
                  kept.put(name, variable);
                } else if (variable.isOfNumbers()) {
                  reduced.put(name, variable);
                }
              });
    }
    dataset
        .coordinates()
        .forEach(
            (name, variable) -> {
              if (!isReduced(variable)) {
                kept.put(name, variable);
              }
            });
    return groups()
        .flatMap(
            groups ->
                Concurrently.mapInOrder(
                        Flux.fromIterable(reduced.values()),
                        CONCURRENCY,
                        variable -> results(variable, groups, statistics))
                    .collectList()
                    .map(results -> datasets(results, kept, groups, statistics)));
  }

  private Set<String> reducedDimensions() {
    Set<String> all = new LinkedHashSet<>(over);
    if (division != null) {
      all.add(division.dimension());
    }
    return all;
  }

  private boolean isReduced(Variable variable) {
    return variable.dimensions().stream().anyMatch(reducedDimensions()::contains);
  }

  /** Emits the groups of the divided dimension, as a list of one, or an empty list. */
  private Mono<List<Groups>> groups() {
    return division == null ? Mono.just(List.of()) : division.groups().map(List::of);
  }

  private Mono<Map<Statistic, Variable>> results(
      Variable variable, List<Groups> groups, Statistic... statistics) {
    Division divided = division;
    BiFunction<String, Axis, CellAxis> cells =
        (name, axis) ->
            divided != null && name.equals(divided.dimension())
                ? CellAxis.grouped(name, axis, groups.get(0).count(), groups.get(0).numbers())
                : over.contains(name) ? CellAxis.reduced(name, axis) : CellAxis.kept(name, axis);
    Reduction reduction = new Reduction(variable, cells, keepsMissing, null);
    if (weights != null) {
      reduction = reduction.weighted(weights);
    }
    List<String> names = new ArrayList<>(reduction.dimensions());
    if (divided != null) {
      names.replaceAll(
          name -> name.equals(divided.dimension()) ? groups.get(0).labels().name() : name);
    }
    return reduction
        .statistics(statistics)
        .map(
            all -> {
              Map<Statistic, Variable> results = new LinkedHashMap<>();
              all.forEach(
                  (statistic, values) ->
                      results.put(
                          statistic,
                          new Variable(
                              variable.name(),
                              attributes(variable, statistic),
                              new MemoryValues(names, values))));
              return results;
            });
  }

  /** Returns the attributes of a result; a count has no units. */
  private JsonObject attributes(Variable variable, Statistic statistic) {
    JsonObject kept =
        statistic == Statistic.COUNT
            ? JsonObject.EMPTY
            : FormulaAttributes.ofValues(variable.attributes());
    String before = Dataset.text(variable.attributes(), "cell_methods");
    String dimensions =
        String.join(
            "",
            variable.dimensions().stream()
                .filter(reducedDimensions()::contains)
                .map(name -> name + ": ")
                .toList());
    String method =
        switch (statistic) {
          case MIN -> "minimum";
          case MAX -> "maximum";
          case STD -> "standard_deviation";
          default -> statistic.name().toLowerCase(Locale.ROOT);
        };
    return statistic == Statistic.COUNT
        ? kept
        : kept.with("cell_methods", new JsonString((before + " " + dimensions + method).strip()));
  }

  private Map<Statistic, Dataset> datasets(
      List<Map<Statistic, Variable>> results,
      Map<String, Variable> kept,
      List<Groups> groups,
      Statistic... statistics) {
    Map<Statistic, Dataset> datasets = new LinkedHashMap<>();
    for (Statistic statistic : statistics) {
      List<Variable> all = new ArrayList<>(kept.values());
      groups.forEach(each -> all.add(each.labels()));
      results.forEach(each -> all.add(Objects.requireNonNull(each.get(statistic))));
      datasets.put(statistic, dataset.of(all));
    }
    return datasets;
  }

  /**
   * Returns each value plus that of its group, as {@link #minus}.
   *
   * @throws IllegalStateException as there
   */
  public Mono<Dataset> plus(Dataset groups) {
    return combined(Operator.PLUS, Variable::plus, groups);
  }

  /**
   * Returns each value minus that of its group, such as its distance from the mean of its month:
   * {@code months.mean().flatMap(months::minus)}. The results are formulas, of all data variables
   * that the groups have; nothing but labels is read before they are.
   *
   * @param groups a dataset with a dimension of the groups and their labels, in any order
   * @return {@link IllegalArgumentException} if it has no label of a group
   * @throws IllegalStateException unless a dimension is divided into groups
   */
  public Mono<Dataset> minus(Dataset groups) {
    return combined(Operator.MINUS, Variable::minus, groups);
  }

  /**
   * Returns each value divided by that of its group, as {@link #minus}.
   *
   * @throws IllegalStateException as there
   */
  public Mono<Dataset> dividedBy(Dataset groups) {
    return combined(Operator.DIVIDED_BY, Variable::dividedBy, groups);
  }

  private Mono<Dataset> combined(Operator operator, BinaryOperator<Variable> both, Dataset others) {
    Division divided = division;
    if (divided == null) {
      throw new IllegalStateException(
          operator + " is of groups; Variable has formulas of whole dimensions");
    }
    String dimension = divided.dimension();
    return divided
        .groups()
        .flatMap(
            groups ->
                others
                    .variable(groups.labels().name())
                    .read()
                    .map(
                        labels -> {
                          Axis places = new Axis.Indices(groups.among(dimension, labels));
                          String name = groups.labels().name();
                          List<Variable> all = new ArrayList<>(dataset.coordinates().values());
                          for (Variable its : others.dataVariables().values()) {
                            if (its.dimensions().contains(name)) {
                              Variable expanded = its.with(name, places).renamed(name, dimension);
                              all.add(both.apply(dataset.variable(its.name()), expanded));
                            }
                          }
                          return dataset.of(all);
                        }));
  }
}
