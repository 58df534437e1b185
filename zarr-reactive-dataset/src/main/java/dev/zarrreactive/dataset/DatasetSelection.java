package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Selections of a dataset by label and by index, one after the other, which are found when {@link
 * #dataset} is subscribed to. Immutable: each method returns another selection.
 *
 * <p>A label is looked up in the coordinate that has the name of the dimension; its values are read
 * once and kept with the dataset, up to 64 MiB for all. Labels of numbers are any {@code Number};
 * among floats of 32 bits they are rounded to one. Labels of times are an {@code Instant}, a {@code
 * LocalDate} or {@code LocalDateTime} in UTC, a {@link dev.zarrreactive.dataset.cf.CalendarDate} of
 * the coordinate's calendar, or text in ISO 8601. Text that is cut stands for all its time: {@code
 * "2000-01"} selects a month, and a range ends with the end of its last label. Text that is as
 * exact as the values are, such as a date among days, selects one value and drops the dimension.
 * Labels of lengths of time are a {@code Duration}, or text such as {@code PT6H}.
 *
 * <p>A label that is missing is an {@link dev.zarrreactive.error.InvalidInputException}, emitted by
 * the publishers; it names the nearest value.
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

  /** Selects the value that a method finds, and drops the dimension. */
  public DatasetSelection sel(String dimension, Object label, LabelMethod method) {
    return labels(dimension, index -> index.find(label, method, null));
  }

  /**
   * Selects the value that a method finds, and drops the dimension.
   *
   * @param tolerance the greatest distance: a number, or for times a {@code Duration}
   */
  public DatasetSelection sel(
      String dimension, Object label, LabelMethod method, Object tolerance) {
    return labels(dimension, index -> index.find(label, method, tolerance));
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
    return labels(
        dimension,
        index -> new Axis.Indices(all.stream().mapToLong(label -> only(index, label)).toArray()));
  }

  private static long only(CoordinateIndex<?> index, Object label) {
    if (index.exact(label) instanceof Axis.Range range && range.dropped()) {
      return range.start();
    }
    throw index.refused(label, "several values have it; in a list each label has one");
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
