package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.cf.CalendarDate;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A variable to be written: values with their settings, or a part of a stored variable. */
final class PlannedVariable {
  private final String name;
  private final boolean isCoordinate;
  private final List<String> dimensions;
  private final @Nullable PlannedValues values;
  private final NewVariable settings;
  private final @Nullable Variable part;

  private PlannedVariable(
      String name,
      boolean isCoordinate,
      List<String> dimensions,
      @Nullable PlannedValues values,
      NewVariable settings,
      @Nullable Variable part) {
    if (name.isEmpty() || name.contains("/")) {
      throw new IllegalArgumentException("a variable cannot have the name \"" + name + '"');
    }
    this.name = name;
    this.isCoordinate = isCoordinate;
    this.dimensions = List.copyOf(dimensions);
    this.values = values;
    this.settings = settings;
    this.part = part;
    Shape shape = knownShape();
    if (shape != null && shape.rank() != dimensions.size()) {
      throw new IllegalArgumentException(
          "the values of " + name + " have the shape " + shape + ", but dimensions " + dimensions);
    }
    if (this.dimensions.stream().distinct().count() != dimensions.size()) {
      throw new IllegalArgumentException(name + " has a dimension twice: " + dimensions);
    }
  }

  PlannedVariable(
      String name,
      boolean isCoordinate,
      List<String> dimensions,
      PlannedValues values,
      NewVariable settings) {
    this(name, isCoordinate, dimensions, values, settings, null);
  }

  PlannedVariable(Variable part, boolean isCoordinate) {
    this(
        part.name(),
        isCoordinate,
        part.raw().dimensions(),
        null,
        new NewVariable().attributes(part.attributes()),
        part);
  }

  String name() {
    return name;
  }

  List<String> dimensions() {
    return dimensions;
  }

  /** Returns true for a coordinate that has not the name of its only dimension. */
  boolean isOtherCoordinate() {
    return isCoordinate && !dimensions.equals(List.of(name));
  }

  boolean isCoordinate() {
    return isCoordinate;
  }

  /** Returns an attribute that was set, as a text; empty for none. */
  String text(String attribute) {
    return Dataset.text(settings.attributes(), attribute);
  }

  /** Returns the shape of the values; null for a stream. */
  @Nullable Shape knownShape() {
    if (part != null) {
      return part.raw().shape();
    }
    PlannedValues given = values();
    if (given.dates() != null) {
      return Shape.of(given.dates().size());
    }
    return given.array() == null ? null : given.array().shape();
  }

  private PlannedValues values() {
    if (values == null) {
      throw new IllegalStateException(name + " is a part of another dataset");
    }
    return values;
  }

  Shape shape(Map<String, Long> sizes) {
    return Shape.of(dimensions.stream().mapToLong(sizes::get).toArray());
  }

  /**
   * Returns the metadata of the array.
   *
   * @param others attributes that the dataset adds
   */
  ArrayMetadata metadata(int zarrFormat, Map<String, Long> sizes, JsonObject others) {
    try {
      return part == null
          ? settings.metadata(zarrFormat, dimensions, shape(sizes), values().type(), others)
          : new StoredPart(part).metadata(zarrFormat, others);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** Writes all values to the array that has been made for them. */
  Mono<Void> writeTo(ZarrArray array) {
    if (array.shape().isEmpty()) {
      return Mono.empty();
    } else if (part != null) {
      return new StoredPart(part).copyTo(array);
    }
    CfDecoding coding = DatasetAppend.coding(array.metadata(), array.attributes());
    return array.shape().rank() == 0
        ? encoded(coding).flatMap(scalar -> array.write(Selection.all(), scalar))
        : array.write(Selection.all(), blocks(array, coding));
  }

  /** Returns true if the values are a stream, which is read once. */
  boolean isStream() {
    return part == null && values().blocks() != null;
  }

  /** Emits all stored elements as one array; not of a stream. */
  Mono<NdArray> encoded(CfDecoding coding) {
    return decoded(coding).map(encoder(coding));
  }

  private Mono<NdArray> decoded(CfDecoding coding) {
    if (part != null) {
      return settings.isRaw() ? part.raw().read() : part.read();
    }
    PlannedValues given = values();
    return Mono.fromSupplier(
        () ->
            given.dates() == null
                ? Stream.ofNullable(given.array()).findFirst().orElseThrow()
                : counts(coding, given.dates()));
  }

  private NdArray counts(CfDecoding coding, List<CalendarDate> dates) {
    return coding
        .times()
        .orElseThrow(() -> new IllegalArgumentException(name + " has dates, but no units of times"))
        .counts(dates);
  }

  /** Returns the stored elements in blocks along the first dimension. */
  Flux<NdArray> blocks(ZarrArray array, CfDecoding coding) {
    UnaryOperator<NdArray> encoder = encoder(coding);
    if (part == null && values().blocks() != null) {
      return Flux.from(values().blocks()).map(encoder);
    }
    int step = (int) Math.min(Integer.MAX_VALUE, array.chunkGrid().dimension(0).largest());
    if (part != null) {
      Variable source = settings.isRaw() ? part.raw() : part;
      return rows(source.shape().extent(0), step).concatMap(source::read, 0).map(encoder);
    }
    return decoded(coding)
        .flatMapMany(
            all -> rows(all.shape().extent(0), step).map(rows -> encoder.apply(all.slice(rows))));
  }

  private static Flux<Selection> rows(long extent, long step) {
    return Flux.<Selection, Long>generate(
        () -> 0L,
        (from, sink) -> {
          if (from >= extent) {
            sink.complete();
            return from;
          }
          long to = Math.min(extent, from + step);
          sink.next(Selection.of(DimensionSelection.slice(from, to)));
          return to;
        });
  }

  private UnaryOperator<NdArray> encoder(CfDecoding coding) {
    if (settings.isRaw()) {
      return UnaryOperator.identity();
    }
    return block -> {
      try {
        return coding.encode(block);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
      }
    };
  }
}
