package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.cf.CalendarDate;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NumpyUnit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * The values of a variable to be written: an array, a stream of blocks, or dates of a calendar.
 *
 * @param type the type of the values; of dates that of times
 */
record PlannedValues(
    DataType type,
    @Nullable NdArray array,
    @Nullable Publisher<NdArray> blocks,
    @Nullable List<CalendarDate> dates) {
  static PlannedValues of(NdArray array) {
    return new PlannedValues(array.dataType(), array, null, null);
  }

  static PlannedValues of(DataType type, Publisher<NdArray> blocks) {
    return new PlannedValues(type, null, blocks, null);
  }

  static PlannedValues of(String name, List<?> values) {
    List<?> list = List.copyOf(values);
    Shape shape = Shape.of(list.size());
    if (are(list, CalendarDate.class)) {
      return new PlannedValues(
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
          instants(shape, map(cast(list, LocalDateTime.class), t -> t.toInstant(ZoneOffset.UTC))));
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
    return NdArray.ofInstants(DataTypes.datetime64(unit, 1), shape, times.toArray(Instant[]::new));
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
