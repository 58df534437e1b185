package dev.zarrreactive.datatype;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * Reads and writes the configuration of a time type: {@code unit} and {@code scale_factor}, both
 * required. Converts counts of units of a fixed length to lengths of time, and back, exactly.
 */
final class TimeSpans {
  private static final String UNIT = "unit";
  private static final String SCALE_FACTOR = "scale_factor";

  private static final BigInteger GIGA = BigInteger.TEN.pow(9);
  private static final BigInteger EXA = GIGA.pow(2);

  private TimeSpans() {}

  static void requireTime(TimeType type, long count) {
    if (count == TimeType.NAT) {
      throw new DateTimeException("NaT of " + type + " is no time; use the count");
    }
  }

  /** Returns the length of {@code count} counts. */
  static Duration toDuration(TimeType type, long count) {
    BigInteger[] nanos = attoseconds(type, count).divideAndRemainder(GIGA);
    if (nanos[1].signum() != 0) {
      throw new DateTimeException(
          count + " of " + type + " is not a whole number of nanoseconds; use the count");
    }
    BigInteger[] seconds = divideDown(nanos[0], GIGA);
    if (seconds[0].bitLength() >= Long.SIZE) {
      throw beyondJava(type, count);
    }
    return Duration.ofSeconds(seconds[0].longValue(), seconds[1].longValue());
  }

  static DateTimeException beyondJava(TimeType type, long count) {
    return new DateTimeException(count + " of " + type + " is beyond the range of java.time");
  }

  /**
   * Returns the number of counts of a length of time.
   *
   * @param time the time in messages
   */
  static long toCount(TimeType type, Duration length, Object time) {
    BigInteger nanos =
        BigInteger.valueOf(length.getSeconds())
            .multiply(GIGA)
            .add(BigInteger.valueOf(length.getNano()));
    return wholeCounts(type, nanos.multiply(GIGA), attoseconds(type, 1), time);
  }

  /** Returns {@code amount / one}, which must be a count of the type. */
  static long wholeCounts(TimeType type, BigInteger amount, BigInteger one, Object time) {
    BigInteger[] counts = amount.divideAndRemainder(one);
    if (counts[1].signum() != 0) {
      throw new DateTimeException(time + " is not a whole number of counts of " + type);
    }
    if (counts[0].bitLength() >= Long.SIZE || counts[0].longValue() == TimeType.NAT) {
      throw new DateTimeException(time + " is beyond the range of " + type);
    }
    return counts[0].longValue();
  }

  /** Returns the whole seconds, and the attoseconds after them. */
  static BigInteger[] seconds(TimeType type, long count) {
    return divideDown(attoseconds(type, count), EXA);
  }

  private static BigInteger attoseconds(TimeType type, long count) {
    BigInteger unit = type.unit().attoseconds();
    if (unit.signum() == 0) {
      throw new DateTimeException(
          "the unit of " + type + " has no fixed length in time; use the count");
    }
    return units(type, count).multiply(unit);
  }

  /** Returns the number of units of a count. */
  static BigInteger units(TimeType type, long count) {
    return BigInteger.valueOf(count).multiply(BigInteger.valueOf(type.scaleFactor()));
  }

  /** Returns the quotient, rounded down, and the remainder, which is not negative. */
  private static BigInteger[] divideDown(BigInteger number, BigInteger divisor) {
    BigInteger remainder = number.mod(divisor);
    return new BigInteger[] {number.subtract(remainder).divide(divisor), remainder};
  }

  static NumpyUnit unit(NamedConfiguration use) {
    use.configuration().allowOnly(UNIT, SCALE_FACTOR);
    return NumpyUnit.parse(use.member(UNIT));
  }

  static int scaleFactor(NamedConfiguration use) {
    return use.member(SCALE_FACTOR).integer(1, Integer.MAX_VALUE);
  }

  static void requireScaleFactor(int scaleFactor) {
    if (scaleFactor < 1) {
      throw new IllegalArgumentException("a scale factor is at least 1, not " + scaleFactor);
    }
  }

  static JsonObject toMetadata(TimeType type) {
    JsonObject configuration =
        JsonObject.EMPTY.with(UNIT, type.unit().symbol()).with(SCALE_FACTOR, type.scaleFactor());
    return NamedConfiguration.of(type.name(), configuration).toJson();
  }

  /** Returns the notation of NumPy, such as {@code numpy.datetime64[10us]}. */
  static String toString(TimeType type) {
    String factor = type.scaleFactor() == 1 ? "" : Integer.toString(type.scaleFactor());
    return type.name() + "[" + factor + type.unit().symbol() + "]";
  }
}
