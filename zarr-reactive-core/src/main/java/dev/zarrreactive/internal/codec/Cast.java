package dev.zarrreactive.internal.codec;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.LongUnaryOperator;

/**
 * The casts of {@code cast_value} from one type to another.
 *
 * @param from the type of what is cast
 * @param to the type of the result
 * @param map what is replaced instead
 * @param rounding how what lies between two elements is rounded
 * @param range what becomes of what lies outside the type
 */
record Cast(Scalar from, Scalar to, ScalarMap map, Rounding rounding, OutOfRange range)
    implements LongUnaryOperator {

  enum OutOfRange {
    ERROR,
    CLAMP,
    WRAP
  }

  @Override
  public long applyAsLong(long element) {
    int entry = map.find(element);
    if (entry >= 0) {
      return map.value(entry);
    }
    if (from == to) {
      return element;
    }
    if (to.isFloat()) {
      return from.isFloat() ? floatToFloat(element) : integerToFloat(element);
    }
    return from.isFloat() ? floatToInteger(element) : integerToInteger(element);
  }

  private long integerToInteger(long element) {
    long narrowed = to.narrow(element);
    boolean high = from == Scalar.UINT64 && element < 0;
    boolean low = to == Scalar.UINT64 && element < 0;
    boolean fits = high ? to == Scalar.UINT64 : narrowed == element && !low;
    return fits ? narrowed : outside(from.exact(element).toBigInteger(), element);
  }

  private long floatToInteger(long element) {
    double value = from.toDouble(element);
    if (!Double.isFinite(value)) {
      throw refused(element, "is no integer, and no entry of \"scalar_map\" says what it becomes");
    }
    double integer = rounding.toInteger(value);
    if (Math.abs(integer) < 0x1p53) {
      long exact = (long) integer;
      if (to == Scalar.UINT64 ? exact >= 0 : to.narrow(exact) == exact) {
        return exact;
      }
    }
    BigInteger exact = new BigDecimal(integer).toBigInteger();
    return to.min().compareTo(exact) <= 0 && exact.compareTo(to.max()) <= 0
        ? exact.longValue()
        : outside(exact, element);
  }

  private long outside(BigInteger exact, long element) {
    return switch (range) {
      case ERROR -> throw refused(element, "is outside the range of " + to.type());
      case CLAMP -> (exact.signum() < 0 ? to.min() : to.max()).longValue();
      case WRAP -> to.narrow(exact.longValue());
    };
  }

  private long floatToFloat(long element) {
    double value = from.toDouble(element);
    long nearest = to.fromDouble(value);
    double back = to.toDouble(nearest);
    if (back == value || Double.isNaN(value)) {
      return nearest;
    }
    return finite(
        rounding == Rounding.NEAREST_EVEN ? nearest : rounding.toFloat(new BigDecimal(value), to),
        element);
  }

  private long integerToFloat(long element) {
    boolean exact = from != Scalar.UINT64 || element >= 0;
    double value = from.toDouble(element);
    if (exact && Math.abs(value) < 0x1p53) {
      long nearest = to.fromDouble(value);
      if (rounding == Rounding.NEAREST_EVEN || to.toDouble(nearest) == value) {
        return finite(nearest, element);
      }
    }
    return finite(rounding.toFloat(from.exact(element), to), element);
  }

  /** Overflow becomes an infinity only where that was asked for. */
  private long finite(long result, long element) {
    if (range != OutOfRange.CLAMP && Double.isInfinite(to.toDouble(result))) {
      throw refused(element, "is outside the range of " + to.type());
    }
    return result;
  }

  private CodecException refused(long element, String why) {
    return new CodecException(from.text(element) + " " + why, Location.UNKNOWN);
  }
}
