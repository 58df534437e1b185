package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Several datasets as one. Only coordinates are read. */
final class DatasetJoin {
  private static final int CONCURRENCY = 8;

  private DatasetJoin() {}

  static MetadataException refused(String why) {
    return new MetadataException(why, Location.UNKNOWN);
  }

  /** Joins datasets along a dimension, in their order. */
  static Mono<Dataset> concat(String dimension, List<Dataset> datasets) {
    return Mono.defer(() -> new Concatenation(dimension, datasets).joined());
  }

  /** Reads one variable of each dataset, in the type that they have together. */
  private static Flux<NdArray> read(CommonType common, List<Dataset> datasets, String name) {
    return Concurrently.mapInOrder(
        Flux.range(0, datasets.size()),
        CONCURRENCY,
        k -> {
          ConvertedValues converted = common.converted(k);
          Variable variable = datasets.get(k).variable(name);
          return variable.dimensions().size() == 1 && variable.isIndex()
              ? datasets.get(k).values(variable).map(converted::convert)
              : converted.gather();
        });
  }

  private static Optional<String> lacking(Dataset dataset, Collection<String> names) {
    return names.stream().filter(name -> !dataset.variables().containsKey(name)).findFirst();
  }

  /** The datasets that are joined along one dimension. */
  private static final class Concatenation {
    private final String dimension;
    private final List<Dataset> datasets;
    private final Dataset first;
    private final boolean isNew;

    Concatenation(String dimension, List<Dataset> datasets) {
      this.dimension = dimension;
      this.datasets = datasets;
      this.first = datasets.get(0);
      this.isNew = datasets.stream().noneMatch(each -> each.sizes().containsKey(dimension));
    }

    private void check() {
      for (Dataset other : datasets) {
        lacking(other, first.variables().keySet()).ifPresent(name -> refuse(name, first, other));
        lacking(first, other.variables().keySet()).ifPresent(name -> refuse(name, other, first));
        if (!isNew && !other.sizes().containsKey(dimension)) {
          Dataset has =
              datasets.stream()
                  .filter(each -> each.sizes().containsKey(dimension))
                  .findFirst()
                  .orElse(first);
          throw refused(
              has.place()
                  + " has the dimension "
                  + dimension
                  + ", and "
                  + other.place()
                  + " has not");
        }
      }
    }

    private static void refuse(String name, Dataset has, Dataset lacks) {
      throw refused(
          has.place() + " has the variable " + name + ", and " + lacks.place() + " has not");
    }

    Mono<Dataset> joined() {
      check();
      return Concurrently.mapInOrder(
              Flux.fromIterable(first.variables().keySet()), 2, this::variable)
          .collectList()
          .map(
              all -> {
                Set<String> coordinates = new LinkedHashSet<>(first.coordinates().keySet());
                return first.joined(all, coordinates, datasets);
              });
    }

    private Mono<Variable> variable(String name) {
      List<Variable> all = datasets.stream().map(each -> each.variable(name)).toList();
      boolean isCoordinate = first.coordinates().containsKey(name);
      boolean isIndex = name.equals(dimension);
      boolean has = all.stream().anyMatch(each -> each.dimensions().contains(dimension));
      checkDimensions(all, has);
      CommonType common = CommonType.of(datasets, all);
      if (isIndex && all.get(0).dimensions().size() < 2) {
        return labels(common, all);
      } else if (has || (isNew && !isCoordinate)) {
        return Mono.just(together(common, all));
      }
      return isCoordinate ? shared(common, all) : Mono.just(all.get(0));
    }

    private void checkDimensions(List<Variable> all, boolean hasDimension) {
      Variable some = all.get(0);
      for (int k = 1; k < all.size(); k++) {
        Variable other = all.get(k);
        if (!some.dimensions().equals(other.dimensions())) {
          throw refused(
              some.name()
                  + " has the dimensions "
                  + some.dimensions()
                  + " in "
                  + first.place()
                  + ", but "
                  + other.dimensions()
                  + " in "
                  + datasets.get(k).place());
        }
        for (int d = 0; d < some.dimensions().size(); d++) {
          String name = some.dimensions().get(d);
          long extent = some.shape().extent(d);
          if (!name.equals(dimension) && extent != other.shape().extent(d)) {
            throw refused(
                some.name()
                    + " has "
                    + extent
                    + " of "
                    + name
                    + " in "
                    + first.place()
                    + ", but "
                    + other.shape().extent(d)
                    + " in "
                    + datasets.get(k).place()
                    + "; only "
                    + dimension
                    + " may differ"
                    + (hasDimension ? "" : " along which they are joined"));
          }
        }
      }
    }

    /** Returns the variables one after the other. */
    private Variable together(CommonType common, List<Variable> all) {
      List<AssembledValues> pieces = new ArrayList<>();
      for (int k = 0; k < all.size(); k++) {
        pieces.add(common.converted(k));
      }
      return new Variable(
          all.get(0).name(), common.attributes(), JoinedValues.of(dimension, pieces));
    }

    /** Returns the coordinate of the dimension, which is read. */
    private Mono<Variable> labels(CommonType common, List<Variable> all) {
      return read(common, datasets, dimension)
          .collectList()
          .map(
              values -> {
                long count = 0;
                for (NdArray each : values) {
                  count += each.shape().elementCountUpTo(Integer.MAX_VALUE);
                }
                PlacedElements whole =
                    PlacedElements.allocate(
                        common.type(), Shape.of(count), all.get(0).values().location());
                long from = 0;
                for (NdArray each : values) {
                  long size = each.shape().elementCountUpTo(Integer.MAX_VALUE);
                  whole.put(each, List.of(new Axis.Range(from, size, 1, each.shape().rank() == 0)));
                  from += size;
                }
                return new Variable(
                    dimension,
                    common.attributes(),
                    new MemoryValues(List.of(dimension), whole.array(), common.coding()));
              });
    }

    /** Returns a coordinate that all datasets have. */
    private Mono<Variable> shared(CommonType common, List<Variable> all) {
      Variable some = all.get(0);
      boolean isOfLabels = some.isIndex() && !some.dimensions().isEmpty();
      boolean mayDiffer = isNew && !isOfLabels;
      return differing(common, datasets, some.name())
          .map(
              difference -> {
                if (difference.isPresent() && mayDiffer) {
                  return together(common, all);
                }
                difference.ifPresent(DatasetJoin::refuse);
                return some;
              });
    }
  }

  private static void refuse(String why) {
    throw refused(why);
  }

  /**
   * Values of one dataset that are compared with those of the first one.
   *
   * @param difference of one that was compared before; empty for none
   */
  private record Compared(NdArray values, int number, Optional<String> difference) {}

  /** Compares the variables of one name; emits what says how they differ, if they do. */
  private static Mono<Optional<String>> differing(
      CommonType common, List<Dataset> datasets, String name) {
    return read(common, datasets, name)
        .index((number, values) -> new Compared(values, number.intValue(), Optional.empty()))
        .reduce(
            (first, each) ->
                first.difference().isPresent()
                    ? first
                    : new Compared(
                        first.values(),
                        0,
                        common.difference(first.values(), each.values(), each.number())))
        .map(Compared::difference);
  }

  /** Returns the variables of all datasets together. */
  static Mono<Dataset> merge(List<Dataset> datasets) {
    return Mono.defer(
        () -> {
          Map<String, List<Dataset>> having = new LinkedHashMap<>();
          for (Dataset each : datasets) {
            for (String name : each.variables().keySet()) {
              having.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
            }
          }
          checkSizes(datasets);
          return Concurrently.mapInOrder(
                  Flux.fromIterable(having.entrySet()),
                  2,
                  entry -> merged(entry.getKey(), entry.getValue()))
              .collectList()
              .map(
                  all -> {
                    Set<String> coordinates = new LinkedHashSet<>();
                    datasets.forEach(each -> coordinates.addAll(each.coordinates().keySet()));
                    return datasets.get(0).joined(all, coordinates, datasets);
                  });
        });
  }

  private static void checkSizes(List<Dataset> datasets) {
    Map<String, Dataset> first = new LinkedHashMap<>();
    for (Dataset each : datasets) {
      each.sizes()
          .forEach(
              (dimension, size) -> {
                Dataset before = first.putIfAbsent(dimension, each);
                if (before != null && before.size(dimension) != size) {
                  throw refused(
                      "the dimension "
                          + dimension
                          + " has the extent "
                          + before.size(dimension)
                          + " in "
                          + before.place()
                          + ", but "
                          + size
                          + " in "
                          + each.place()
                          + "; select the same part of both");
                }
              });
    }
  }

  private static Mono<Variable> merged(String name, List<Dataset> having) {
    Variable some = having.get(0).variable(name);
    if (having.size() == 1) {
      return Mono.just(some);
    }
    for (Dataset each : having) {
      if (!each.coordinates().containsKey(name)) {
        throw refused(
            having.get(0).place()
                + " and "
                + having.get(1).place()
                + " both have the variable "
                + name
                + "; leave one of them out, or give it another name");
      } else if (!each.variable(name).dimensions().equals(some.dimensions())) {
        throw refused(
            name
                + " has the dimensions "
                + some.dimensions()
                + " in "
                + having.get(0).place()
                + ", but "
                + each.variable(name).dimensions()
                + " in "
                + each.place());
      }
    }
    List<Variable> all = having.stream().map(each -> each.variable(name)).toList();
    CommonType common = CommonType.of(having, all);
    return differing(common, having, name)
        .map(
            difference -> {
              difference.ifPresent(DatasetJoin::refuse);
              return some;
            });
  }

  /** Orders datasets by their coordinates, joins those of the same variables, and merges these. */
  static Mono<Dataset> combine(List<Dataset> datasets) {
    return Mono.defer(
        () -> {
          Map<Set<String>, List<Dataset>> together = new LinkedHashMap<>();
          List<Dataset> filled =
              datasets.stream().filter(each -> !each.variables().isEmpty()).toList();
          for (Dataset each : filled.isEmpty() ? datasets.subList(0, 1) : filled) {
            together
                .computeIfAbsent(each.dataVariables().keySet(), any -> new ArrayList<>())
                .add(each);
          }
          return Concurrently.mapInOrder(
                  Flux.fromIterable(together.values()), 1, same -> new Tiles(same).joined())
              .collectList()
              .flatMap(parts -> parts.size() == 1 ? Mono.just(parts.get(0)) : merge(parts));
        });
  }

  /** Datasets of the same variables, which their coordinates put in order. */
  private static final class Tiles {
    private final List<Dataset> datasets;

    /** Creates tiles; those without a position of a dimension add nothing. */
    Tiles(List<Dataset> datasets) {
      List<Dataset> filled =
          datasets.stream().filter(each -> !each.sizes().containsValue(0L)).toList();
      this.datasets = filled.isEmpty() ? datasets.subList(0, 1) : filled;
    }

    Mono<Dataset> joined() {
      if (datasets.size() == 1) {
        return Mono.just(datasets.get(0));
      }
      Dataset first = datasets.get(0);
      List<String> dimensions =
          first.sizes().keySet().stream()
              .filter(
                  name ->
                      datasets.stream()
                          .allMatch(
                              each ->
                                  each.variables().containsKey(name)
                                      && each.variable(name).isIndex()
                                      && each.variable(name).dimensions().size() == 1))
              .toList();
      return Concurrently.mapInOrder(
              Flux.fromIterable(dimensions), 1, name -> Ranks.of(name, datasets))
          .collectList()
          .flatMap(this::joined);
    }

    private Mono<Dataset> joined(List<Ranks> all) {
      List<Ranks> varying = all.stream().filter(Ranks::isVarying).toList();
      if (varying.isEmpty()) {
        throw refused(
            datasets.get(0).place()
                + " and "
                + datasets.get(1).place()
                + " have equal coordinates, which put them in no order; concat joins them in the"
                + " order in which they are given");
      }
      Map<List<Integer>, Integer> places = new LinkedHashMap<>();
      for (int k = 0; k < datasets.size(); k++) {
        int number = k;
        List<Integer> place = varying.stream().map(ranks -> ranks.of().get(number)).toList();
        Integer other = places.put(place, k);
        if (other != null) {
          throw refused(
              datasets.get(other).place()
                  + " and "
                  + datasets.get(k).place()
                  + " overlap: both begin at "
                  + String.join(
                      ", ", varying.stream().map(ranks -> ranks.textOf(number)).toList()));
        }
      }
      return row(varying, places, List.of())
          .flatMap(
              joined ->
                  Concurrently.mapInOrder(
                          Flux.fromIterable(varying),
                          1,
                          ranks -> ranks.checkOrder(joined, datasets).thenReturn(ranks))
                      .then(Mono.just(joined)));
    }

    /** Joins the datasets whose first ranks are given, along the dimensions of the others. */
    private Mono<Dataset> row(
        List<Ranks> varying, Map<List<Integer>, Integer> places, List<Integer> before) {
      if (before.size() == varying.size()) {
        Integer number = places.get(before);
        if (number == null) {
          throw refused(
              "no dataset begins at "
                  + String.join(
                      " and ",
                      IntStream.range(0, before.size())
                          .mapToObj(d -> varying.get(d).textOfRank(before.get(d), datasets))
                          .toList())
                  + "; the datasets are to fill a grid");
        }
        return Mono.just(datasets.get(number));
      }
      Ranks ranks = varying.get(before.size());
      return Concurrently.mapInOrder(
              Flux.range(0, ranks.count()),
              1,
              rank -> {
                List<Integer> place = new ArrayList<>(before);
                place.add(rank);
                return row(varying, places, place);
              })
          .collectList()
          .flatMap(parts -> concat(ranks.dimension(), parts));
    }
  }

  /**
   * The order of datasets along one dimension.
   *
   * @param of the place of each dataset
   */
  private record Ranks(
      String dimension, boolean isVarying, List<Integer> of, List<String> texts, int count) {
    static Mono<Ranks> of(String dimension, List<Dataset> datasets) {
      List<Variable> all = datasets.stream().map(each -> each.variable(dimension)).toList();
      CommonType common = CommonType.of(datasets, all);
      return read(common, datasets, dimension)
          .map(values -> new ComparedValues(values, common.coding()))
          .collectList()
          .map(labels -> ranks(dimension, labels));
    }

    private static Ranks ranks(String dimension, List<ComparedValues> labels) {
      boolean isVarying = false;
      for (int k = 0; k < labels.size(); k++) {
        ComparedValues its = labels.get(k);
        ComparedValues first = labels.get(0);
        isVarying |= its.size() != first.size() || its.differing(first) >= 0;
      }
      boolean descends = labels.stream().anyMatch(its -> its.compare(0, its, its.size() - 1) > 0);
      List<Integer> order = new ArrayList<>(IntStream.range(0, labels.size()).boxed().toList());
      order.sort(
          (a, b) -> {
            int compared = labels.get(a).compare(0, labels.get(b), 0);
            return descends ? -compared : compared;
          });
      Integer[] ranks = new Integer[labels.size()];
      int rank = 0;
      for (int i = 0; i < ranks.length; i++) {
        int k = order.get(i);
        boolean isNext = i > 0 && labels.get(k).compare(0, labels.get(order.get(i - 1)), 0) != 0;
        rank += isNext ? 1 : 0;
        ranks[k] = rank;
      }
      return new Ranks(
          dimension,
          isVarying,
          List.of(ranks),
          labels.stream().map(its -> dimension + " " + its.text(0)).toList(),
          rank + 1);
    }

    String textOf(int dataset) {
      return texts.get(dataset);
    }

    /** Returns the first label at a rank, and the dataset that has it. */
    String textOfRank(int rank, List<Dataset> datasets) {
      int found = dataset(rank);
      return texts.get(found) + ", as " + datasets.get(found).place() + " does";
    }

    /** Returns the first dataset at a rank. */
    private int dataset(int rank) {
      return Math.max(0, of.indexOf(rank));
    }

    /** Checks that the labels of the whole ascend, or descend. */
    Mono<Void> checkOrder(Dataset joined, List<Dataset> datasets) {
      Variable variable = joined.variable(dimension);
      return joined
          .values(variable)
          .doOnNext(
              values -> check(new ComparedValues(values, variable.times().orElse(null)), datasets))
          .then();
    }

    private void check(ComparedValues labels, List<Dataset> datasets) {
      int sign = labels.size() < 2 ? 1 : Integer.signum(labels.compare(1, labels, 0));
      for (int i = 1; i < labels.size(); i++) {
        if (labels.isMissing(i) || Integer.signum(labels.compare(i, labels, i - 1)) * sign <= 0) {
          throw refused(
              "the labels of "
                  + dimension
                  + " do not ascend or descend: "
                  + labels.text(i)
                  + " follows "
                  + labels.text(i - 1)
                  + ", in "
                  + owner(datasets, i - 1)
                  + " and "
                  + owner(datasets, i)
                  + "; select parts that do not overlap, or use concat");
        }
      }
    }

    /** Returns the dataset that has a position of the whole, as one of those at its rank. */
    private String owner(List<Dataset> datasets, int position) {
      long end = 0;
      for (int rank = 0; rank < count; rank++) {
        Dataset its = datasets.get(dataset(rank));
        end += its.size(dimension);
        if (position < end) {
          return its.place();
        }
      }
      return datasets.get(0).place();
    }
  }
}
