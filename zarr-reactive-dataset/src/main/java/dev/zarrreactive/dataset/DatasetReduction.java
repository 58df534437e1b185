package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.internal.expression.Operator;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.statistics.CellAxis;
import dev.zarrreactive.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.LongStream;
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
    Chosen chosen = choose(variables);
    return groups()
        .flatMap(
            groups ->
                Concurrently.mapInOrder(
                        Flux.fromIterable(chosen.reduced().values()),
                        CONCURRENCY,
                        variable -> results(variable, groups, statistics))
                    .collectList()
                    .map(results -> datasets(results, chosen.kept(), groups, statistics)));
  }

  /** The variables that are reduced, and those that stay as they are. */
  private record Chosen(Map<String, Variable> reduced, Map<String, Variable> kept) {}

  private Chosen choose(List<String> variables) {
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
    return new Chosen(reduced, kept);
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
    Reduction reduction = reduction(variable, groups);
    List<String> names = names(reduction, groups);
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

  private Reduction reduction(Variable variable, List<Groups> groups) {
    Division divided = division;
    BiFunction<String, Axis, CellAxis> cells =
        (name, axis) ->
            divided != null && name.equals(divided.dimension())
                ? CellAxis.grouped(name, axis, groups.get(0).count(), groups.get(0).numbers())
                : over.contains(name) ? CellAxis.reduced(name, axis) : CellAxis.kept(name, axis);
    Reduction reduction = new Reduction(variable, cells, keepsMissing, null);
    return weights == null ? reduction : reduction.weighted(weights);
  }

  /** Returns the names of the dimensions of results. */
  private List<String> names(Reduction reduction, List<Groups> groups) {
    Division divided = division;
    List<String> names = new ArrayList<>(reduction.dimensions());
    if (divided != null) {
      names.replaceAll(
          name -> name.equals(divided.dimension()) ? groups.get(0).labels().name() : name);
    }
    return names;
  }

  /**
   * Computes the medians of some variables, or of all; otherwise as {@link Reduction#median}.
   *
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> median(String... variables) {
    return each(List.of(variables), Extra.none(), "median", Reduction::median);
  }

  /**
   * Computes one quantile of some variables, or of all; otherwise as {@link Reduction#quantile}.
   *
   * @throws IllegalArgumentException for a quantile that is not from 0 to 1
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> quantile(double quantile, String... variables) {
    Variable.checkQuantiles(quantile);
    return each(List.of(variables), Extra.none(), "", its -> its.quantile(quantile));
  }

  /**
   * Computes several quantiles of some variables, or of all, while it reads the chunks once; as
   * {@link Reduction#quantiles}. The first dimension of the results is named "quantile", and has
   * its coordinate.
   *
   * @throws IllegalArgumentException for a quantile that is not from 0 to 1
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> quantiles(double[] quantiles, String... variables) {
    Variable.checkQuantiles(quantiles);
    List<String> dimension = List.of("quantile");
    NdArray labels = NdArray.ofDoubles(Shape.of(quantiles.length), quantiles.clone());
    Variable coordinate = Variable.of("quantile", dimension, labels);
    Extra extra = new Extra(dimension, List.of(), List.of(coordinate));
    return each(List.of(variables), extra, "", its -> its.quantiles(quantiles));
  }

  /**
   * Chooses the first values of some variables, or of all; otherwise as {@link Reduction#first}.
   *
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> first(String... variables) {
    return each(List.of(variables), Extra.none(), "point", Reduction::first);
  }

  /**
   * Chooses the last values of some variables, or of all; otherwise as {@link Reduction#last}.
   *
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> last(String... variables) {
    return each(List.of(variables), Extra.none(), "point", Reduction::last);
  }

  /**
   * Finds where the least values of some variables are, or of all; as {@link Reduction#argMin}.
   *
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> argMin(String... variables) {
    return each(List.of(variables), Extra.none(), null, Reduction::argMin);
  }

  /**
   * Finds where the greatest values of some variables are, or of all; as {@link Reduction#argMax}.
   *
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> argMax(String... variables) {
    return each(List.of(variables), Extra.none(), null, Reduction::argMax);
  }

  /**
   * Counts the values of some variables, or of all, between edges that ascend; as {@link
   * Reduction#histogram}. The results have {@code bin} as their last dimension, with the middles of
   * the bins as its coordinate, and their edges as the bounds of that (CF 7.1).
   *
   * @throws IllegalArgumentException for less than two edges, and for edges that do not ascend
   * @throws dev.zarrreactive.error.InvalidInputException as {@link Dataset#variable}
   */
  public Mono<Dataset> histogram(double[] edges, String... variables) {
    double[] ascending = Variable.checkedEdges(edges);
    int bins = ascending.length - 1;
    double[] middles = new double[bins];
    double[] bounds = new double[2 * bins];
    for (int i = 0; i < bins; i++) {
      middles[i] = ascending[i] + (ascending[i + 1] - ascending[i]) / 2;
      bounds[2 * i] = ascending[i];
      bounds[2 * i + 1] = ascending[i + 1];
    }
    JsonObject attributes = JsonObject.EMPTY.with("bounds", "bin_bounds");
    Set<String> units = new LinkedHashSet<>();
    choose(List.of(variables))
        .reduced()
        .values()
        .forEach(variable -> units.add(Dataset.text(variable.attributes(), "units")));
    if (units.size() == 1 && !units.contains("")) {
      attributes = attributes.with("units", units.iterator().next());
    }
    List<String> dimension = List.of("bin");
    Variable bin =
        Variable.of("bin", dimension, NdArray.ofDoubles(Shape.of(bins), middles))
            .withAttributes(attributes);
    Variable edgesOf =
        Variable.of(
            "bin_bounds", List.of("bin", "bounds"), NdArray.ofDoubles(Shape.of(bins, 2), bounds));
    Extra extra = new Extra(List.of(), dimension, List.of(bin, edgesOf));
    return each(List.of(variables), extra, null, its -> its.histogram(ascending));
  }

  /**
   * What results have beyond the reduction.
   *
   * @param first the names of the dimensions before its own
   * @param last the names of the dimensions behind them
   * @param coordinates further coordinates
   */
  private record Extra(List<String> first, List<String> last, List<Variable> coordinates) {
    static Extra none() {
      return new Extra(List.of(), List.of(), List.of());
    }
  }

  /**
   * Makes one result of each variable.
   *
   * @param method the method of CF 7.3, empty for none; null for results without attributes
   */
  private Mono<Dataset> each(
      List<String> variables,
      Extra extra,
      @Nullable String method,
      Function<Reduction, Mono<NdArray>> result) {
    Chosen chosen = choose(variables);
    return groups()
        .flatMap(
            groups ->
                Concurrently.mapInOrder(
                        Flux.fromIterable(chosen.reduced().values()),
                        CONCURRENCY,
                        variable -> {
                          Reduction reduction = reduction(variable, groups);
                          List<String> names = new ArrayList<>(extra.first());
                          names.addAll(names(reduction, groups));
                          names.addAll(extra.last());
                          JsonObject attributes = attributes(variable, method);
                          return result
                              .apply(reduction)
                              .map(
                                  values ->
                                      new Variable(
                                          variable.name(),
                                          attributes,
                                          new MemoryValues(names, values)));
                        })
                    .collectList()
                    .map(
                        results -> {
                          List<Variable> all = new ArrayList<>(chosen.kept().values());
                          groups.forEach(its -> all.add(its.labels()));
                          all.addAll(extra.coordinates());
                          all.addAll(results);
                          return dataset.of(all);
                        }));
  }

  private JsonObject attributes(Variable variable, @Nullable String method) {
    if (method == null) {
      return JsonObject.EMPTY;
    }
    JsonObject its = variable.plainAttributes();
    return method.isEmpty() ? its : FormulaAttributes.withMethod(its, reducedOf(variable), method);
  }

  /** Returns the attributes of a result; a count has no units. */
  private JsonObject attributes(Variable variable, Statistic statistic) {
    JsonObject kept =
        statistic == Statistic.COUNT
            ? JsonObject.EMPTY
            : FormulaAttributes.ofValues(variable.attributes());
    if (statistic == Statistic.VARIANCE) {
      kept = FormulaAttributes.squared(kept);
    }
    String method =
        switch (statistic) {
          case MIN -> "minimum";
          case MAX -> "maximum";
          case STD -> "standard_deviation";
          default -> statistic.name().toLowerCase(Locale.ROOT);
        };
    return statistic == Statistic.COUNT
        ? kept
        : FormulaAttributes.withMethod(kept, reducedOf(variable), method);
  }

  /** Returns the dimensions of a variable that are reduced, in its order. */
  private List<String> reducedOf(Variable variable) {
    return variable.dimensions().stream().filter(reducedDimensions()::contains).toList();
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
    return combined(Operator.PLUS, groups);
  }

  /**
   * Returns each value minus that of its group, such as its distance from the mean of its month:
   * {@code months.mean().flatMap(months::minus)}. The results are formulas, of the data variables
   * that both have; nothing but labels is read before they are. Those of {@code float32} are {@code
   * float32}, and are rounded once, also where the groups are {@code float64}, as their means are.
   * As with xarray, values are missing where the groups lack a label, and positions without a label
   * are left out. Labels are equal as numbers, 20 and 20.0, or as instants.
   *
   * @param groups a dataset with a dimension of the groups and their labels, in any order
   * @return {@link IllegalArgumentException} if it has no label at all, or no variable of this one
   * @throws IllegalStateException unless a dimension is divided into groups
   */
  public Mono<Dataset> minus(Dataset groups) {
    return combined(Operator.MINUS, groups);
  }

  /**
   * Returns each value divided by that of its group, as {@link #minus}.
   *
   * @throws IllegalStateException as there
   */
  public Mono<Dataset> dividedBy(Dataset groups) {
    return combined(Operator.DIVIDED_BY, groups);
  }

  private Mono<Dataset> combined(Operator operator, Dataset others) {
    Division divided = division;
    if (divided == null) {
      throw new IllegalStateException(
          operator + " is of groups; Variable has formulas of whole dimensions");
    }
    String dimension = divided.dimension();
    return divided
        .groups()
        .flatMap(
            groups -> {
              Variable known = others.variable(groups.labels().name());
              return known
                  .read()
                  .map(
                      labels ->
                          combined(
                              operator, others, groups, dimension, groups.among(known, labels)));
            });
  }

  /**
   * Combines each value with that of its group, as xarray does: positions without a group are left
   * out, and values of a group that the others lack are missing.
   *
   * @param places the position of each group among the others, -1 for none
   */
  private Dataset combined(
      Operator operator, Dataset others, Groups groups, String dimension, long... places) {
    String name = groups.labels().name();
    int[] numbers = groups.numbers();
    long[] kept = LongStream.range(0, numbers.length).filter(i -> numbers[(int) i] >= 0).toArray();
    Dataset part =
        kept.length == numbers.length ? dataset : dataset.with(dimension, new Axis.Indices(kept));
    long[] found = Arrays.stream(kept).map(i -> places[numbers[(int) i]]).toArray();
    boolean[] areThere = new boolean[found.length];
    for (int i = 0; i < found.length; i++) {
      areThere[i] = found[i] >= 0;
      found[i] = Math.max(0, found[i]);
    }
    boolean isWhole = Arrays.stream(places).allMatch(place -> place >= 0);
    Variable there =
        Variable.of(
            "there", List.of(dimension), NdArray.ofBooleans(Shape.of(found.length), areThere));
    if (others.size(name) == 0) {
      throw new IllegalArgumentException("the other dataset has no label of " + name);
    }
    Map<String, Variable> own = part.dataVariables();
    List<Variable> all = new ArrayList<>(part.coordinates().values());
    List<String> shared = new ArrayList<>();
    for (Variable its : others.dataVariables().values()) {
      if (its.dimensions().contains(name) && own.containsKey(its.name())) {
        // repeated block by block: all at once they may be as large as the dataset
        VariableValues repeated =
            new PointValues(its.values(), List.of(name), new long[][] {found}, dimension);
        Variable expanded = new Variable(its.name(), its.plainAttributes(), repeated);
        shared.add(its.name());
        Variable values = part.variable(its.name());
        all.add(values.keeping(operator, isWhole ? expanded : expanded.where(there)));
      }
    }
    if (shared.isEmpty()) {
      throw new IllegalArgumentException(
          "no data variable is in both: the other dataset has "
              + String.join(", ", others.dataVariables().keySet())
              + ", and this one "
              + String.join(", ", own.keySet()));
    }
    return dataset.of(all);
  }
}
