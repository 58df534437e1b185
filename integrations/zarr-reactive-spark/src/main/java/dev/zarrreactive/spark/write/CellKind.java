package dev.zarrreactive.spark.write;

import dev.zarrreactive.cf.CfCalendar;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.datatype.Timedelta64Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of values of a column, in the form in which a write compares and keeps them: whole
 * numbers as {@code Long}, which has the bits of a {@code uint64}; floats as {@code Float} or
 * {@code Double}; times and lengths of time as {@code Long} microseconds, times in UTC.
 */
enum CellKind {
  BOOLEAN("BOOLEAN"),
  WHOLE("whole numbers"),
  UNSIGNED("whole numbers up to 2^64"),
  FLOAT("numbers"),
  DOUBLE("numbers"),
  TIME("TIMESTAMP or DATE"),
  LENGTH("INTERVAL DAY TO SECOND"),
  TEXT("STRING"),
  BINARY("BINARY");

  private static final BigInteger UINT64_END = BigInteger.ONE.shiftLeft(64);

  private final String columns;

  CellKind(String columns) {
    this.columns = columns;
  }

  /** Returns the kind of decoded values; null for values that no column has. */
  static @Nullable CellKind of(CfDecoding coding) {
    if (coding
        .times()
        .flatMap(TimeCoding::calendar)
        .filter(calendar -> !calendar.isReal() || calendar == CfCalendar.JULIAN)
        .isPresent()) {
      return null;
    }
    return of(coding.dataType());
  }

  static @Nullable CellKind of(DataType type) {
    if (type instanceof BoolType) {
      return BOOLEAN;
    } else if (type instanceof IntegerType) {
      return type.equals(DataTypes.UINT64) ? UNSIGNED : WHOLE;
    } else if (type instanceof FloatType floats) {
      return floats.bits() == 64 ? DOUBLE : FLOAT;
    } else if (type instanceof Datetime64Type) {
      return TIME;
    } else if (type instanceof Timedelta64Type) {
      return LENGTH;
    } else if (type instanceof StringType || type instanceof FixedLengthUtf32Type) {
      return TEXT;
    }
    return type instanceof BytesType ? BINARY : null;
  }

  /** Returns the kind of the values of a column; null for a type that is not written. */
  static @Nullable CellKind of(org.apache.spark.sql.types.DataType type) {
    return switch (type.typeName()) {
      case "boolean" -> BOOLEAN;
      case "byte", "short", "integer", "long" -> WHOLE;
      case "float" -> FLOAT;
      case "double" -> DOUBLE;
      case "timestamp", "timestamp_ntz", "date" -> TIME;
      case "string" -> TEXT;
      case "binary" -> BINARY;
      default ->
          type.typeName().equals("decimal(20,0)")
              ? UNSIGNED
              : type.typeName().startsWith("interval day")
                      || type.typeName().startsWith("interval hour")
                      || type.typeName().startsWith("interval minute")
                      || type.typeName().startsWith("interval second")
                  ? LENGTH
                  : null;
    };
  }

  /**
   * Returns a value of Spark in the form of this kind.
   *
   * @throws IllegalArgumentException for a value of another kind, or one that is not exact
   */
  Object of(Object value) {
    Object found =
        switch (this) {
          case BOOLEAN -> value instanceof Boolean ? value : null;
          case WHOLE -> whole(value);
          case UNSIGNED -> unsigned(value);
          case FLOAT -> value instanceof Number number ? (Object) number.floatValue() : null;
          case DOUBLE -> value instanceof Number number ? real(number) : null;
          case TIME -> micros(value);
          case LENGTH -> value instanceof Duration length ? (Object) Micros.of(length) : null;
          case TEXT -> value instanceof String ? value : null;
          case BINARY -> value instanceof byte[] ? value : null;
        };
    if (found == null) {
      throw new IllegalArgumentException("expected " + columns + ", found " + value);
    }
    return found;
  }

  private static @Nullable Long whole(Object value) {
    if (value instanceof BigDecimal decimal) {
      try {
        return decimal.longValueExact();
      } catch (ArithmeticException e) {
        return null;
      }
    } else if (value instanceof Double || value instanceof Float) {
      double real = ((Number) value).doubleValue();
      return real == Math.rint(real) && Math.abs(real) < 0x1p63 ? (Long) (long) real : null;
    }
    return value instanceof Number number ? (Long) number.longValue() : null;
  }

  /** Returns null for a whole number that no double equals. */
  private static @Nullable Double real(Number value) {
    double real = value.doubleValue();
    return value instanceof Long whole && (long) real != whole ? null : (Double) real;
  }

  private static @Nullable Long unsigned(Object value) {
    BigInteger all;
    if (value instanceof BigDecimal decimal && decimal.stripTrailingZeros().scale() <= 0) {
      all = decimal.toBigInteger();
    } else {
      Long whole = whole(value);
      all = whole == null ? BigInteger.valueOf(-1) : BigInteger.valueOf(whole);
    }
    return all.signum() >= 0 && all.compareTo(UINT64_END) < 0 ? (Long) all.longValue() : null;
  }

  private static @Nullable Long micros(Object value) {
    if (value instanceof LocalDateTime time) {
      return Micros.of(time.toInstant(ZoneOffset.UTC));
    } else if (value instanceof Instant time) {
      return Micros.of(time);
    } else if (value instanceof LocalDate day) {
      return Micros.of(day.atStartOfDay().toInstant(ZoneOffset.UTC));
    } else if (value instanceof java.sql.Timestamp time) {
      return Micros.of(time.toInstant());
    } else if (value instanceof java.sql.Date day) {
      return micros(day.toLocalDate());
    }
    return null;
  }

  /** Returns a value in the form of this kind as text. */
  String text(Object value) {
    return switch (this) {
      case UNSIGNED -> Long.toUnsignedString((Long) value);
      case TIME ->
          LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC)
              .plus((Long) value, ChronoUnit.MICROS)
              .toString();
      case LENGTH -> Duration.of((Long) value, ChronoUnit.MICROS).toString();
      case BINARY -> ((byte[]) value).length + " bytes";
      default -> value.toString();
    };
  }
}
