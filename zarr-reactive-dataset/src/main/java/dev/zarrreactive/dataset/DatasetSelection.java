package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Selections of a dataset by label and by index, one after the other, which are found when {@link
 * #dataset} is subscribed to. Immutable: each method returns another selection.
 *
 * <p>A label is looked up in the coordinate that has the name of the dimension; its values are read
 * once and kept with the dataset, up to 64 MiB for all. Labels of numbers are any {@code Number};
 * among floats of 32 bits they are rounded to one. Labels of times are an {@code Instant}, a {@code
 * LocalDate} or {@code LocalDateTime} in UTC, a {@link dev.zarrreactive.cf.CalendarDate} of the
 * coordinate's calendar, or text in ISO 8601. Text that is cut stands for all its time: {@code
 * "2000-01"} selects a month, and a range ends with the end of its last label. Text that is as
 * exact as the values are, such as a date among days, selects one value and drops the dimension.
 * Labels of lengths of time are a {@code Duration}, or text such as {@code PT6H}.
 *
 * <p>A label that is missing is an {@link InvalidInputException}, emitted by the publishers; it
 * names the nearest value.
 */
public final class DatasetSelection {
  private final Dataset dataset;
  private final List<Function<Dataset, Mono<Dataset>>> steps;

  DatasetSelection(Dataset dataset) {
    this(dataset, List.of());
  }

  private DatasetSelection(Dataset dataset, List<Function<Dataset, Mono<Dataset>>> steps) {
    this.dataset = dataset;
    this.steps = steps;
  }

  private DatasetSelection then(Function<Dataset, Mono<Dataset>> step) {
    List<Function<Dataset, Mono<Dataset>>> longer = new ArrayList<>(steps);
    longer.add(step);
    return new DatasetSelection(dataset, List.copyOf(longer));
  }

  private DatasetSelection labels(String dimension, Function<CoordinateIndex<?>, Axis> found) {
    return then(
        part -> part.index(dimension).map(index -> part.with(dimension, found.apply(index))));
  }

  /**
   * Selects the value that equals a label, and drops the dimension; several values of a period, or
   * equal ones, keep it.
   */
  public DatasetSelection sel(String dimension, Object label) {
    return label instanceof List<?> several
        ? sel(dimension, several)
        : labels(dimension, index -> index.exact(label));
  }

  /**
   * Selects the value that a method finds, and drops the dimension; of a list of labels the values
   * of all, in their order.
   */
  public DatasetSelection sel(String dimension, Object label, LabelMethod method) {
    return labels(dimension, index -> found(index, label, method, null));
  }

  private static Axis found(
      CoordinateIndex<?> index, Object label, LabelMethod method, @Nullable Object tolerance) {
    return label instanceof List<?> several
        ? index.find(several, method, tolerance)
        : index.find(label, method, tolerance);
  }

  /**
   * Selects the value that a method finds, and drops the dimension.
   *
   * @param tolerance the greatest distance: a number, or for times a {@code Duration}
   */
  public DatasetSelection sel(
      String dimension, Object label, LabelMethod method, Object tolerance) {
    return labels(dimension, index -> found(index, label, method, tolerance));
  }

  /**
   * Selects the values from one label to another, both included, in the order of the coordinate:
   * among descending values {@code from} is the greater one. Labels between two values are allowed
   * in an ordered coordinate.
   */
  public DatasetSelection sel(String dimension, Object from, Object to) {
    return labels(dimension, index -> index.range(from, to));
  }

  /** Selects the values from a label to the end; as {@link #sel(String, Object, Object)}. */
  public DatasetSelection selFrom(String dimension, Object from) {
    return labels(dimension, index -> index.range(from, null));
  }

  /** Selects the values up to a label; as {@link #sel(String, Object, Object)}. */
  public DatasetSelection selTo(String dimension, Object to) {
    return labels(dimension, index -> index.range(null, to));
  }

  /** Selects the values of several labels, in their order. A label may repeat. */
  public DatasetSelection sel(String dimension, List<?> labels) {
    List<?> all = List.copyOf(labels);
    return labels(dimension, index -> index.find(all, LabelMethod.EXACT, null));
  }

  /**
   * Selects the positions where a condition holds, such as {@code
   * dataset.variable("elevation").greaterThan(1000)}. It is calculated when the selection is
   * subscribed to.
   *
   * @param condition booleans along one dimension of what is selected so far
   * @return {@link InvalidInputException} for another condition
   */
  public DatasetSelection sel(Variable condition) {
    return then(part -> ConditionPlaces.select(part, condition));
  }

  /**
   * Selects points, such as stations: each has one label of several dimensions, which become one
   * dimension of the points. {@code selPoints("station", Map.of("lat", List.of(48.2, 53.6), "lon",
   * List.of(16.4, 10.0)), LabelMethod.NEAREST)} selects two. A variable gets the new dimension at
   * the place of the first of those that it has, and the coordinates say where the points are. A
   * read requests each chunk once, however many points it has.
   *
   * @param dimension the name of the dimension of points
   * @param labels for each dimension one label of each point
   * @throws IllegalArgumentException if their numbers differ, or there are none
   */
  public DatasetSelection selPoints(
      String dimension, Map<String, ? extends List<?>> labels, LabelMethod method) {
    return points(dimension, labels, method, null);
  }

  /**
   * Selects points within a tolerance along each dimension; otherwise as {@link #selPoints(String,
   * Map, LabelMethod)}.
   */
  public DatasetSelection selPoints(
      String dimension,
      Map<String, ? extends List<?>> labels,
      LabelMethod method,
      Object tolerance) {
    return points(dimension, labels, method, tolerance);
  }

  private DatasetSelection points(
      String dimension,
      Map<String, ? extends List<?>> labels,
      LabelMethod method,
      @Nullable Object tolerance) {
    Map<String, List<?>> all = Points.checked(labels);
    return then(
        part ->
            Concurrently.mapInOrder(Flux.fromIterable(all.keySet()), all.size(), part::index)
                .collectList()
                .map(
                    indices -> {
                      List<long[]> positions = new ArrayList<>();
                      int next = 0;
                      for (List<?> its : all.values()) {
                        CoordinateIndex<?> index = indices.get(next++);
                        positions.add(
                            its.stream()
                                .mapToLong(label -> index.position(label, method, tolerance))
                                .toArray());
                      }
                      return Points.select(part, dimension, List.copyOf(all.keySet()), positions);
                    }));
  }

  /**
   * Selects points by their indices; otherwise as {@link #selPoints(String, Map, LabelMethod)}.
   *
   * @param indices for each dimension one index of each point; negative ones count from the end
   * @return {@link InvalidInputException} for an index outside
   */
  public DatasetSelection iselPoints(String dimension, Map<String, long[]> indices) {
    Map<String, List<?>> all =
        Points.checked(
            indices.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        each -> LongStream.of(each.getValue()).boxed().toList())));
    return then(
        part ->
            Mono.fromSupplier(
                () ->
                    Points.select(
                        part, dimension, List.copyOf(all.keySet()), Points.within(part, all))));
  }

  /**
   * Makes values at labels between those of a coordinate, on the line between the two values
   * around; as {@link #interp(String, List, Interpolation)}.
   */
  public DatasetSelection interp(String dimension, List<?> labels) {
    return interp(dimension, labels, Interpolation.LINEAR);
  }

  /**
   * Makes values at labels between those of a coordinate that ascends or descends, which become its
   * new values. A second call makes those along another dimension. Values outside are NaN, and a
   * value beside a NaN is one. Variables with the dimension that are no numbers are left out.
   * Nothing but coordinates is read before the values are, and then the positions that are needed.
   *
   * @param labels numbers, or times of the coordinate
   * @return {@link InvalidInputException} for a coordinate without an order
   */
  public DatasetSelection interp(String dimension, List<?> labels, Interpolation how) {
    List<?> all = List.copyOf(labels);
    return then(
        part -> part.index(dimension).map(index -> part.interpolated(dimension, index, all, how)));
  }

  /**
   * Selects longitudes from west to east, also over the end of the axis: {@code
   * selAround("longitude", -10, 10)} on an axis from 0 to 360, as {@code selAround("longitude",
   * 350, 10)}. The result begins in the west, and its longitudes ascend from {@code from} to {@code
   * to}: they are those of the axis, moved by whole turns. Where {@code from} is more than {@code
   * to}, it is a turn less.
   *
   * @throws IllegalArgumentException if it is more than a turn
   */
  public DatasetSelection selAround(String dimension, double from, double to) {
    Circle circle = Circle.of(from, to);
    return then(part -> circle.select(part, dimension));
  }

  /** Selects indices of what is selected so far; as {@link Variable#isel(String, String)}. */
  public DatasetSelection isel(String dimension, String indices) {
    return then(part -> Mono.fromSupplier(() -> part.isel(dimension, indices)));
  }

  /** Selects one index of what is selected so far, and drops the dimension. */
  public DatasetSelection isel(String dimension, long index) {
    return isel(dimension, DimensionSelection.at(index));
  }

  /** Selects indices of what is selected so far. */
  public DatasetSelection isel(String dimension, DimensionSelection indices) {
    return then(part -> Mono.fromSupplier(() -> part.isel(dimension, indices)));
  }

  /** Reads the coordinates that the labels need, and emits the selected part. */
  public Mono<Dataset> dataset() {
    Mono<Dataset> part = Mono.just(dataset);
    for (Function<Dataset, Mono<Dataset>> step : steps) {
      part = part.flatMap(step);
    }
    return part;
  }

  /** Emits the selected part of a variable; errors as of {@link Dataset#variable}. */
  public Mono<Variable> variable(String name) {
    return dataset().map(part -> part.variable(name));
  }

  /**
   * Emits the selected part of a variable that is not in the dataset, such as a formula of its
   * variables.
   *
   * @param other a variable with dimensions of the dataset, and their extents
   */
  public Mono<Variable> variable(Variable other) {
    return Mono.defer(
        () -> new DatasetSelection(dataset.assign(other), steps).variable(other.name()));
  }

  /** Reads the selected part of a variable; as {@link Variable#read()}. */
  public Mono<NdArray> read(String name) {
    return variable(name).flatMap(Variable::read);
  }

  /** Reads the selected part of a variable chunk by chunk; as {@link Variable#chunks()}. */
  public Flux<Chunk> chunks(String name) {
    return variable(name).flatMapMany(Variable::chunks);
  }

  /** Writes the selected part to a new dataset; as {@link Dataset#writeTo(ZarrLocation)}. */
  public Mono<Dataset> writeTo(ZarrLocation location) {
    return dataset().flatMap(part -> part.writeTo(location));
  }

  /** Writes the selected part to a path; as {@link Dataset#writeTo(ZarrHierarchy, String)}. */
  public Mono<Dataset> writeTo(ZarrHierarchy hierarchy, String path) {
    return dataset().flatMap(part -> part.writeTo(hierarchy, path));
  }

  /** Streams aligned blocks of the selected part; as {@link Dataset#blocks}. */
  public Flux<DatasetBlock> blocks(String... names) {
    return dataset().flatMapMany(part -> part.blocks(names));
  }
}
