package dev.zarrreactive.datatype;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;

/**
 * Counts of units that have a fixed length, and the time that they take: exactly, or not at all.
 */
final class TimeSpans {
  private static final BigInteger GIGA = BigInteger.TEN.pow(9);
  private static final BigInteger EXA = GIGA.pow(2);

  private TimeSpans() {}

  static void requireTime(TimeType type, long count) {
    if (count == TimeType.NAT) {
      throw new DateTimeException("NaT of " + type + " is no time; use the count");
    }
  }

  /** The time that {@code count} counts take. */
  static Duration toDuration(TimeType type, long count) {
    BigInteger[] nanos = attoseconds(type, count).divideAndRemainder(GIGA);
    if (nanos[1].signum() != 0) {
      throw new DateTimeException(
          count + " of " + type + " is no whole number of nanoseconds; use the count");
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
   * How many counts take a time.
   *
   * @param time what to call it in messages
   */
  static long toCount(TimeType type, Duration length, Object time) {
    BigInteger nanos =
        BigInteger.valueOf(length.getSeconds())
            .multiply(GIGA)
            .add(BigInteger.valueOf(length.getNano()));
    return wholeCounts(type, nanos.multiply(GIGA), attoseconds(type, 1), time);
  }

  /** {@code amount / one}, which must be a count of the type. */
  static long wholeCounts(TimeType type, BigInteger amount, BigInteger one, Object time) {
    BigInteger[] counts = amount.divideAndRemainder(one);
    if (counts[1].signum() != 0) {
      throw new DateTimeException(time + " is no whole number of counts of " + type);
    }
    if (counts[0].bitLength() >= Long.SIZE || counts[0].longValue() == TimeType.NAT) {
      throw new DateTimeException(time + " is beyond the range of " + type);
    }
    return counts[0].longValue();
  }

  /** The whole seconds, and the attoseconds after them. */
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

  /** How many units a count is. */
  static BigInteger units(TimeType type, long count) {
    return BigInteger.valueOf(count).multiply(BigInteger.valueOf(type.scaleFactor()));
  }

  /** Quotient and remainder, the quotient rounded down and the remainder not negative. */
  private static BigInteger[] divideDown(BigInteger number, BigInteger divisor) {
    BigInteger remainder = number.mod(divisor);
    return new BigInteger[] {number.subtract(remainder).divide(divisor), remainder};
  }
}
