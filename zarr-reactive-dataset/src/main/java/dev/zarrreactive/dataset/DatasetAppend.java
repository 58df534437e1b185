package dev.zarrreactive.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Appends variables along a dimension, to rows that one of the arrays reserves. That one grows
 * first; the others get their values beyond their end, where no reader looks, and grow last. So
 * arrays of one length have all values, whenever the process may be killed. Programs that append at
 * the same time cannot have that: a later one may be done first.
 */
final class DatasetAppend {
  /** How often another program may have made an array longer meanwhile. */
  private static final int MOST_CONFLICTS = 100;

  private final DatasetOutput output;
  private final String dimension;
  private final ZarrOptions options;

  DatasetAppend(DatasetOutput output, String dimension, ZarrOptions options) {
    this.output = output;
    this.dimension = dimension;
    this.options = options;
  }

  /** Returns the coding by which values of an array are stored. */
  static CfDecoding coding(ArrayMetadata array, JsonObject attributes) {
    return CfDecoding.of(array, attributes, CfRule.xarray(), false);
  }

  /**
   * An array with the values that it gets.
   *
   * @param elements the stored elements; null for a stream
   */
  private record Target(
      PlannedVariable variable,
      ZarrArray array,
      int axis,
      CfDecoding coding,
      @Nullable NdArray elements) {
    Target with(NdArray encoded) {
      return new Target(variable, array, axis, coding, encoded);
    }

    /** The rows that the array had when the append began. */
    long extent() {
      return array.shape().extent(axis);
    }

    /** Returns the shape with another number of rows. */
    Shape shape(ZarrArray its, long rows) {
      long[] extents = its.shape().toArray();
      extents[axis] = rows;
      return Shape.of(extents);
    }

    /** Returns the array as it will be with more rows. */
    ZarrArray longer(long rows) {
      ArrayMetadata before = array.metadata();
      Shape shape = shape(array, rows);
      return Zarr.hierarchy(array.store(), array.options())
          .array(
              array.path().value(),
              before.withShape(shape, ChunkGrid.grown(before.chunkGrid(), shape)));
    }
  }

  Mono<Void> to(ZarrGroup group) {
    return group
        .children()
        .ofType(ZarrArray.class)
        .collectList()
        .flatMap(
            arrays -> {
              List<Target> targets = targets(arrays);
              checkLengths(targets);
              return checkLabels(arrays).then(Mono.defer(() -> append(group, targets)));
            })
        .then(
            Mono.defer(() -> output.isConsolidated() ? group.consolidate().then() : Mono.empty()));
  }

  private List<Target> targets(List<ZarrArray> arrays) {
    Map<String, Long> sizes = output.sizes();
    if (!sizes.containsKey(dimension)) {
      throw new IllegalArgumentException("no variable has the dimension " + dimension);
    }
    Map<String, ZarrArray> byName = byName(arrays);
    Map<String, JsonObject> attributes = new HashMap<>();
    byName.forEach((name, array) -> attributes.put(name, array.attributes()));
    arrays.forEach(array -> DatasetBuilder.inherit(array.attributes(), attributes));
    List<Target> targets = new ArrayList<>();
    for (PlannedVariable variable : output.variables()) {
      ZarrArray array = byName.remove(variable.name());
      if (areLabels(variable)) {
        continue;
      }
      targets.add(target(variable, array, sizes, attributes));
    }
    byName.forEach(
        (name, array) -> {
          if (DatasetBuilder.dimensions(array).contains(dimension)) {
            throw new IllegalArgumentException(
                "the variable "
                    + name
                    + " has the dimension "
                    + dimension
                    + ", too; an append has values for all of them");
          }
        });
    targets.sort(
        Comparator.comparing((Target target) -> !target.variable().name().equals(dimension))
            .thenComparing(target -> target.variable().name()));
    return targets;
  }

  private static Map<String, ZarrArray> byName(List<ZarrArray> arrays) {
    Map<String, ZarrArray> byName = new TreeMap<>();
    arrays.forEach(array -> byName.put(array.path().name(), array));
    return byName;
  }

  /** Returns true for labels of another dimension, which the dataset has already. */
  private boolean areLabels(PlannedVariable variable) {
    return variable.isCoordinate()
        && !variable.isStream()
        && !variable.name().equals(dimension)
        && variable.dimensions().equals(List.of(variable.name()));
  }

  /** Refuses rows with other labels: the dataset would have them under its own. */
  private Mono<Void> checkLabels(List<ZarrArray> arrays) {
    Map<String, ZarrArray> byName = byName(arrays);
    return Flux.fromIterable(output.variables())
        .filter(variable -> areLabels(variable) && byName.containsKey(variable.name()))
        .concatMap(labels -> check(labels, Objects.requireNonNull(byName.get(labels.name()))), 0)
        .then();
  }

  private static Mono<Void> check(PlannedVariable labels, ZarrArray array) {
    CfDecoding coding = coding(array.metadata(), array.attributes());
    return labels
        .encode(coding)
        .zipWith(array.read())
        .doOnNext(
            both -> {
              if (!areEqual(coding, both.getT1(), both.getT2())) {
                throw new IllegalArgumentException(
                    "the labels of "
                        + labels.name()
                        + " are others than those of the dataset, under which the rows would"
                        + " stand: select the same part in the same order, or write another"
                        + " dataset");
              }
            })
        .then();
  }

  /** Numbers may differ by a thousandth of the least distance, as those of other programs do. */
  private static boolean areEqual(CfDecoding coding, NdArray some, NdArray others) {
    if (some.equals(others)) {
      return true;
    } else if (!some.shape().equals(others.shape())
        || !(coding.decode(some).dataType() instanceof FloatType)) {
      return false;
    }
    double[] these = coding.decode(some).cast(DataTypes.FLOAT64).toDoubleArray();
    double[] those = coding.decode(others).cast(DataTypes.FLOAT64).toDoubleArray();
    double least = Double.POSITIVE_INFINITY;
    for (int i = 1; i < those.length; i++) {
      least = Math.min(least, Math.abs(those[i] - those[i - 1]));
    }
    double most = those.length < 2 ? Math.abs(those[0]) * 1e-6 : least / 1000;
    for (int i = 0; i < those.length; i++) {
      boolean isNear = Math.abs(these[i] - those[i]) <= most;
      if (!isNear && Double.doubleToLongBits(these[i]) != Double.doubleToLongBits(those[i])) {
        return false;
      }
    }
    return true;
  }

  private Target target(
      PlannedVariable variable,
      @Nullable ZarrArray array,
      Map<String, Long> sizes,
      Map<String, JsonObject> attributes) {
    if (array == null) {
      throw new IllegalArgumentException(
          "the dataset has no variable " + variable.name() + "; an append adds rows to all");
    }
    List<String> stored = DatasetBuilder.dimensions(array);
    int axis = stored.indexOf(dimension);
    if (axis < 0 || !stored.equals(variable.dimensions())) {
      throw new IllegalArgumentException(
          "the variable "
              + variable.name()
              + " has the dimensions "
              + stored
              + ", found "
              + variable.dimensions()
              + (axis < 0 ? "; it has not the dimension " + dimension + ", so leave it out" : ""));
    }
    Shape shape = variable.shape(sizes);
    for (int d = 0; d < shape.rank(); d++) {
      if (d != axis && shape.extent(d) != array.shape().extent(d)) {
        throw new IllegalArgumentException(
            "the dimension "
                + stored.get(d)
                + " of "
                + variable.name()
                + " has the extent "
                + array.shape().extent(d)
                + ", found "
                + shape.extent(d));
      }
    }
    JsonObject its = attributes.getOrDefault(variable.name(), array.attributes());
    return new Target(variable, withAllChunks(array), axis, coding(array.metadata(), its), null);
  }

  /** Refuses arrays of unequal lengths, which an append has left that was killed, or still runs. */
  private void checkLengths(List<Target> targets) {
    Target leader = targets.get(0);
    for (Target target : targets) {
      if (!output.isInAnyOrder() && target.extent() != leader.extent()) {
        throw new MetadataException(
            "it has "
                + target.extent()
                + " rows, but "
                + leader.variable().name()
                + " has "
                + leader.extent()
                + ": an append has begun here, and has not ended or still runs. Resize the longer"
                + " arrays to the shorter extent to take it back; or inAnyOrder(true) appends"
                + " behind the longer one, and leaves fill value in rows that were not written",
            Location.ofNode(target.array().path().value()));
      }
    }
  }

  private Mono<Void> append(ZarrGroup group, List<Target> targets) {
    Target leader = targets.get(0);
    long rows = output.sizes().getOrDefault(dimension, 0L);
    if (rows == 0) {
      return Mono.empty();
    } else if (leader.variable().isStream()) {
      return Mono.error(
          new IllegalArgumentException(
              "the values of "
                  + leader.variable().name()
                  + " reserve the rows of an append; they must be in memory, no stream"));
    }
    return Flux.fromIterable(targets)
        .concatMap(
            target ->
                target.variable().isStream()
                    ? Mono.just(target)
                    : target.variable().encode(target.coding()).map(target::with),
            1)
        .collectList()
        .flatMap(
            encoded -> {
              NdArray first = encoded.get(0).elements();
              return first == null
                  ? Mono.<Void>empty()
                  : checkOrder(leader, first)
                      .then(Mono.defer(() -> leader.array().append(leader.axis(), first)))
                      .flatMap(
                          longer ->
                              others(
                                  group,
                                  encoded.subList(1, encoded.size()),
                                  longer.shape().extent(leader.axis()),
                                  rows));
            });
  }

  /** Refuses times that do not go on from those of the dataset. */
  private Mono<Void> checkOrder(Target leader, NdArray elements) {
    AppendedTimes times = new AppendedTimes(dimension, leader.coding());
    if (output.isInAnyOrder()
        || !times.areTimes()
        || !leader.variable().dimensions().equals(List.of(leader.variable().name()))) {
      return Mono.empty();
    }
    long count = leader.array().shape().extent(0);
    DimensionSelection ends =
        count == 0 ? DimensionSelection.slice(0, 0) : DimensionSelection.indices(0, count - 1);
    return leader
        .array()
        .read(Selection.of(ends))
        .doOnNext(there -> times.check(there, elements))
        .then();
  }

  /** Writes the rows of the other arrays, which end where the first one ends. */
  private Mono<Void> others(ZarrGroup group, List<Target> others, long end, long rows) {
    long from = end - rows;
    for (Target target : others) {
      if (target.extent() > from) {
        return Mono.error(
            new MetadataException(
                "it has "
                    + target.extent()
                    + " rows, but "
                    + dimension
                    + " had "
                    + from
                    + "; resize it first, or the append would overwrite rows",
                Location.ofNode(target.array().path().value())));
      }
    }
    boolean isAlone =
        !output.isInAnyOrder() && others.stream().allMatch(its -> its.extent() == from);
    return Concurrently.map(
            Flux.fromIterable(others),
            Math.max(1, others.size()), // streams may come from one source
            target ->
                isAlone
                    ? write(target, withAllChunks(target.longer(end)), from, end)
                        .then(Mono.defer(() -> atLeast(group, target, end)))
                        .then()
                    : atLeast(group, target, end)
                        .flatMap(longer -> write(target, withAllChunks(longer), from, end)))
        .then();
  }

  /** Emits the array when it has this number of rows, or more by another append. */
  private static Mono<ZarrArray> atLeast(ZarrGroup group, Target target, long rows) {
    return Mono.defer(() -> group.openArray(target.variable().name()))
        .flatMap(
            array ->
                array.shape().extent(target.axis()) >= rows
                    ? Mono.just(array)
                    : array.resize(target.shape(array, rows)))
        .retryWhen(Retry.max(MOST_CONFLICTS).filter(PreconditionFailedException.class::isInstance));
  }

  private ZarrArray withAllChunks(ZarrArray array) {
    return DatasetOutput.withAllChunks(array, options);
  }

  private static Mono<Void> write(Target target, ZarrArray array, long from, long to) {
    DimensionSelection[] box = new DimensionSelection[array.shape().rank()];
    for (int d = 0; d < box.length; d++) {
      box[d] =
          d == target.axis()
              ? DimensionSelection.slice(from, to)
              : DimensionSelection.slice(0, array.shape().extent(d));
    }
    Selection rows = Selection.of(box);
    NdArray elements = target.elements();
    return elements == null
        ? array.write(rows, target.variable().blocks(array, target.coding()))
        : array.write(rows, elements);
  }
}
