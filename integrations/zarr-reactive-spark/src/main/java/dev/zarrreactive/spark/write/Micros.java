package dev.zarrreactive.spark.write;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.datatype.Timedelta64Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times and lengths of time in microseconds, which Spark has. */
final class Micros {
  static final Datetime64Type TIME = DataTypes.datetime64(NumpyUnit.MICROSECOND, 1);
  static final Timedelta64Type LENGTH = DataTypes.timedelta64(NumpyUnit.MICROSECOND, 1);

  private Micros() {}

  /** Returns a count as microseconds; finer ones are cut to the one before. */
  static long of(long count, TimeType type) {
    if (type instanceof Datetime64Type time) {
      return of(time.toInstant(count));
    }
    return of(((Timedelta64Type) type).toDuration(count));
  }

  static long of(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
  }

  static long of(Duration length) {
    return Math.addExact(
        Math.multiplyExact(length.getSeconds(), 1_000_000L), length.getNano() / 1_000);
  }

  /**
   * Returns microseconds as counts of a type.
   *
   * @throws IllegalArgumentException for one between two counts
   */
  static NdArray counts(long[] micros, TimeType type) {
    long[] counts = new long[micros.length];
    for (int i = 0; i < micros.length; i++) {
      try {
        counts[i] =
            type instanceof Datetime64Type time
                ? time.toCount(Instant.EPOCH.plus(micros[i], ChronoUnit.MICROS))
                : ((Timedelta64Type) type).toCount(Duration.of(micros[i], ChronoUnit.MICROS));
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            CellKind.TIME.text(micros[i]) + " is no whole number of " + type.name(), e);
      }
      if (of(counts[i], type) != micros[i]) {
        throw new IllegalArgumentException(
            CellKind.TIME.text(micros[i]) + " is no whole number of " + type.name());
      }
    }
    return NdArray.ofLongs(type, Shape.of(counts.length), counts);
  }
}
