package dev.zarrreactive.internal.element;

import dev.zarrreactive.datatype.FloatFormat;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.LongUnaryOperator;

/**
 * A cast from one type of numbers to another. A value that it refuses ends in an {@link
 * ArithmeticException}.
 *
 * @param from the type of the source
 * @param to the type of the result
 * @param rounding the rounding of values between two elements
 * @param range the treatment of values outside the type
 */
public record Cast(Scalar from, Scalar to, Rounding rounding, OutOfRange range)
    implements LongUnaryOperator {

  /** The treatment of values outside the type of the result. */
  public enum OutOfRange {
    ERROR,
    CLAMP,
    WRAP
  }

  @Override
  public long applyAsLong(long element) {
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
      throw refused(element, "is not an integer");
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
    if (Double.isFinite(value)) {
      return to.covers(value) ? nearest(value, element) : rounded(new BigDecimal(value), element);
    }
    if (Double.isNaN(value) && !to.format().hasNaN()) {
      throw refused(element, "has no counterpart in " + to.type());
    }
    return Double.isNaN(value) || to.format().hasInfinity()
        ? to.fromDouble(value)
        : outside(value < 0, element);
  }

  private long integerToFloat(long element) {
    boolean exact = from != Scalar.UINT64 || element >= 0;
    double value = from.toDouble(element);
    return exact && Math.abs(value) < 0x1p53 && to.covers(value)
        ? nearest(value, element)
        : rounded(from.exact(element), element);
  }

  /** Casts a value that is a double and within the range of the type. */
  private long nearest(double value, long element) {
    long nearest = to.fromDouble(value);
    return rounding == Rounding.NEAREST_EVEN || to.toDouble(nearest) == value
        ? nearest
        : rounded(new BigDecimal(value), element);
  }

  private long rounded(BigDecimal exact, long element) {
    FloatFormat format = to.format();
    if (!format.hasZero() && exact.compareTo(to.exact(0)) < 0) {
      return outside(true, element);
    }
    long magnitude = rounding.toFloat(exact, to);
    boolean negative = exact.signum() < 0;
    if (magnitude > format.largest()) {
      return outside(negative, element);
    }
    boolean zero = magnitude == 0 && format.hasZero();
    return zero ? to.fromDouble(negative ? -0.0 : 0.0) : signed(magnitude, negative);
  }

  private long signed(long magnitude, boolean negative) {
    return negative ? to.format().signBit() | magnitude : magnitude;
  }

  /**
   * Returns an infinity for an overflow, or the largest number of a type without infinity, if the
   * configuration asks for it.
   */
  private long outside(boolean below, long element) {
    if (range != OutOfRange.CLAMP) {
      throw refused(element, "is outside the range of " + to.type());
    }
    FloatFormat format = to.format();
    if (!format.hasZero()) {
      return below ? 0 : format.largest();
    }
    return signed(format.hasInfinity() ? format.largest() + 1 : format.largest(), below);
  }

  private ArithmeticException refused(long element, String why) {
    return new ArithmeticException(from.text(element) + " " + why);
  }
}
