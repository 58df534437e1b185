package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A variable to be written: values with their settings, or a part of a stored variable. */
final class PlannedVariable {
  /** The part of the bytes in flight that rows of chunks may take. */
  private static final int SHARE = 8;

  private final String name;
  private final boolean isCoordinate;
  private final List<String> dimensions;
  private final @Nullable Values values;
  private final NewVariable settings;
  private final @Nullable Variable part;

  private PlannedVariable(
      String name,
      boolean isCoordinate,
      List<String> dimensions,
      @Nullable Values values,
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
      Values values,
      NewVariable settings) {
    this(name, isCoordinate, dimensions, values, settings, null);
  }

  /** Plans a variable of a dataset, whose stored elements are copied where it has them. */
  PlannedVariable(Variable part, boolean isCoordinate) {
    this(part, isCoordinate, UnaryOperator.identity());
  }

  PlannedVariable(Variable part, boolean isCoordinate, UnaryOperator<NewVariable> settings) {
    this(
        part.name(),
        isCoordinate,
        part.raw().dimensions(),
        null,
        settings.apply(
            new NewVariable().array(array -> chunked(array, part)).attributes(part.attributes())),
        part);
  }

  /** Gives the values of a formula the chunks of its sources. */
  private static ArrayMetadataBuilder chunked(ArrayMetadataBuilder array, Variable part) {
    Shape shape = part.shape();
    long[] chunk =
        IntStream.range(0, shape.rank())
            .mapToObj(part.values()::chunk)
            .flatMap(Optional::stream)
            .mapToLong(length -> length)
            .toArray();
    boolean hasChunks = !part.isStored() && chunk.length > 0 && chunk.length == shape.rank();
    return hasChunks ? array.chunkShape(chunk) : array;
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
    Values given = values();
    if (given.dates() != null) {
      return Shape.of(given.dates().size());
    }
    return given.array() == null ? null : given.array().shape();
  }

  private Values values() {
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
      if (part != null && part.isStored()) {
        return new StoredPart(part).metadata(zarrFormat, others);
      }
      DataType type = part == null ? values().type() : part.dataType();
      return settings.metadata(zarrFormat, dimensions, shape(sizes), type, others);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** Writes all values to the array that has been made for them. */
  Mono<Void> writeTo(ZarrArray array) {
    if (array.shape().isEmpty()) {
      return Mono.empty();
    } else if (part != null && part.isStored()) {
      return new StoredPart(part).copyTo(array);
    }
    CfDecoding coding = DatasetAppend.coding(array.metadata(), array.attributes());
    // rows of what is calculated along a dimension would need those before them
    if (part != null && (!part.values().along().isEmpty() || areRowsLarge(array))) {
      UnaryOperator<NdArray> encoder = encoder(coding);
      return array.write(
          part.chunks()
              .map(
                  chunk ->
                      new Chunk(chunk.index(), chunk.selection(), encoder.apply(chunk.data()))));
    }
    return array.shape().rank() == 0
        ? encode(coding).flatMap(scalar -> array.write(Selection.all(), scalar))
        : array.write(Selection.all(), blocks(array, coding));
  }

  /** Returns true if a row of chunks takes more than a share of the bytes in flight. */
  private boolean areRowsLarge(ZarrArray array) {
    Variable all = Objects.requireNonNull(part);
    long bytes = Math.max(1, all.dataType().memorySize());
    for (int d = 0; d < array.shape().rank(); d++) {
      long extent = array.shape().extent(d);
      long rows = d == 0 ? Math.min(extent, array.chunkGrid().dimension(0).largest()) : extent;
      bytes = ByteBudget.product(bytes, rows);
    }
    return array.shape().rank() > 1 && bytes > all.values().options().maxInFlightBytes() / SHARE;
  }

  /** Returns true if the values are a stream, which is read once. */
  boolean isStream() {
    return part == null && values().blocks() != null;
  }

  /** Emits all stored elements as one array; not of a stream. */
  Mono<NdArray> encode(CfDecoding coding) {
    return decode(coding).map(encoder(coding));
  }

  private Mono<NdArray> decode(CfDecoding coding) {
    if (part != null) {
      return settings.isRaw() ? part.raw().read() : part.read();
    }
    Values given = values();
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
    return decode(coding)
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

  /**
   * The values of a variable to be written: an array, a stream of blocks, or dates of a calendar.
   *
   * @param type the type of the values; of dates that of times
   */
  record Values(
      DataType type,
      @Nullable NdArray array,
      @Nullable Publisher<NdArray> blocks,
      @Nullable List<CalendarDate> dates) {
    static Values of(NdArray array) {
      return new Values(array.dataType(), array, null, null);
    }

    static Values of(DataType type, Publisher<NdArray> blocks) {
      return new Values(type, null, blocks, null);
    }

    static Values of(String name, List<?> values) {
      List<?> list = List.copyOf(values);
      Shape shape = Shape.of(list.size());
      if (are(list, CalendarDate.class)) {
        return new Values(
            DataTypes.datetime64(NumpyUnit.SECOND, 1), null, null, cast(list, CalendarDate.class));
      } else if (are(list, Instant.class)) {
        return of(instants(shape, cast(list, Instant.class)));
      } else if (are(list, LocalDate.class)) {
        return of(
            instants(
                shape,
                map(cast(list, LocalDate.class), d -> d.atStartOfDay().toInstant(ZoneOffset.UTC))));
      } else if (are(list, LocalDateTime.class)) {
        return of(
            instants(
                shape, map(cast(list, LocalDateTime.class), t -> t.toInstant(ZoneOffset.UTC))));
      } else if (are(list, Duration.class)) {
        return of(durations(shape, cast(list, Duration.class)));
      } else if (are(list, String.class)) {
        return of(NdArray.ofStrings(DataTypes.STRING, shape, list.toArray(String[]::new)));
      } else if (are(list, Boolean.class)) {
        boolean[] flags = new boolean[list.size()];
        IntStream.range(0, flags.length).forEach(i -> flags[i] = (Boolean) list.get(i));
        return of(NdArray.ofBooleans(shape, flags));
      } else if (are(list, Number.class)) {
        return of(numbers(shape, cast(list, Number.class)));
      }
      throw new IllegalArgumentException(
          "the coordinate "
              + name
              + " has values of several kinds, or of one that has no type; expected numbers, texts,"
              + " booleans, Instant, LocalDate, LocalDateTime, Duration or CalendarDate");
    }

    private static boolean are(List<?> values, Class<?> type) {
      return !values.isEmpty() && values.stream().allMatch(type::isInstance);
    }

    private static <T> List<T> cast(List<?> values, Class<T> type) {
      return map(values, type::cast);
    }

    private static <S, T> List<T> map(List<S> values, Function<? super S, T> change) {
      return values.stream().map(change).toList();
    }

    private static NdArray numbers(Shape shape, List<Number> values) {
      boolean areWhole =
          values.stream()
              .allMatch(
                  value ->
                      value instanceof Byte
                          || value instanceof Short
                          || value instanceof Integer
                          || value instanceof Long);
      return areWhole
          ? NdArray.ofLongs(
              DataTypes.INT64, shape, values.stream().mapToLong(Number::longValue).toArray())
          : NdArray.ofDoubles(shape, values.stream().mapToDouble(Number::doubleValue).toArray());
    }

    /** Returns the times in the largest unit from seconds down that has all of them. */
    private static NdArray instants(Shape shape, List<Instant> times) {
      NumpyUnit unit = unit(times.stream().mapToInt(Instant::getNano));
      return NdArray.ofInstants(
          DataTypes.datetime64(unit, 1), shape, times.toArray(Instant[]::new));
    }

    private static NdArray durations(Shape shape, List<Duration> lengths) {
      NumpyUnit unit = unit(lengths.stream().mapToInt(Duration::getNano));
      return NdArray.ofDurations(
          DataTypes.timedelta64(unit, 1), shape, lengths.toArray(Duration[]::new));
    }

    private static NumpyUnit unit(IntStream nanos) {
      int finest =
          nanos
              .map(nano -> nano == 0 ? 0 : nano % 1_000_000 == 0 ? 1 : nano % 1000 == 0 ? 2 : 3)
              .max()
              .orElse(0);
      return List.of(
              NumpyUnit.SECOND, NumpyUnit.MILLISECOND, NumpyUnit.MICROSECOND, NumpyUnit.NANOSECOND)
          .get(finest);
    }
  }
}
