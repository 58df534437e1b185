package dev.zarrreactive.datatype;

import java.math.BigDecimal;
import java.math.MathContext;

/** Rounds doubles and decimal text to the floats of a format, once and ties to even, and back. */
final class FloatRounding {
  /** The limit of integers that Java writes with all digits. */
  private static final double PLAIN = 1e7;

  /** Stands for a number beyond the range. */
  static final long NOTHING = -1;

  private FloatRounding() {}

  static long nearest(FloatFormat format, double value) {
    if (format == FloatFormat.FLOAT64) {
      return Double.doubleToRawLongBits(value);
    }
    if (Double.isNaN(value) && format.hasNaN()) {
      return format.canonicalNaN();
    }
    long finite = nearestFinite(format, value);
    if (finite != NOTHING) {
      return finite;
    }
    if (!format.hasInfinity()) {
      throw new ArithmeticException(value + " is beyond the range of " + format.typeName());
    }
    return value < 0 ? format.signBit() | format.infinity() : format.infinity();
  }

  /** Returns the bits of the number that is nearest to {@code value}, or {@link #NOTHING}. */
  static long nearestFinite(FloatFormat format, double value) {
    if (format == FloatFormat.FLOAT64) {
      return Double.isFinite(value) ? Double.doubleToRawLongBits(value) : NOTHING;
    }
    double magnitude = Math.abs(value);
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    if (!Double.isFinite(value) || (!format.hasSubnormals() && (negative || magnitude == 0))) {
      return NOTHING;
    }
    long raw = nearestPositive(format, magnitude);
    if (raw < 0 || raw > format.largest()) {
      return NOTHING;
    }
    return negative && (raw != 0 || format.hasNegativeZero()) ? format.signBit() | raw : raw;
  }

  /** Returns bits below zero, or above the largest number, for an exponent out of range. */
  private static long nearestPositive(FloatFormat format, double magnitude) {
    // The leading one, which rounding may make a two, correctly carries into the exponent.
    return ((long) (exponent(format, magnitude) + format.bias() - 1) << format.mantissaBits())
        + (long) Math.rint(units(format, magnitude));
  }

  /** Returns the exponent of the number's leading bit, or the lowest one for subnormals. */
  private static int exponent(FloatFormat format, double magnitude) {
    int exponent = Math.getExponent(magnitude);
    return format.hasSubnormals() ? Math.max(exponent, 1 - format.bias()) : exponent;
  }

  /**
   * Returns the number in units of the mantissa's last bit. Exact, since it only scales up small
   * numbers.
   */
  private static double units(FloatFormat format, double magnitude) {
    return Math.scalb(magnitude, format.mantissaBits() - exponent(format, magnitude));
  }

  /** Returns true if a finite number lies exactly in the middle between two neighbours. */
  static boolean isTie(FloatFormat format, double value) {
    double units = units(format, Math.abs(value));
    return units - Math.floor(units) == 0.5;
  }

  /** Returns the bits of the number nearest to the decimal text, or {@link #NOTHING}. */
  static long parse(String text, FloatFormat format) {
    double nearest = Double.parseDouble(text);
    if (Double.isFinite(nearest) && isTie(format, nearest)) {
      // The double is a tie, but the text may be above or below it.
      int side = new BigDecimal(text).compareTo(new BigDecimal(nearest));
      if (side != 0) {
        nearest = side > 0 ? Math.nextUp(nearest) : Math.nextDown(nearest);
      }
    }
    return nearestFinite(format, nearest);
  }

  /** Returns decimal text that parses to exactly these finite bits. */
  static String toText(long raw, FloatFormat format) {
    double exact = format.toDouble(raw);
    if (format == FloatFormat.FLOAT64) {
      return Double.toString(exact);
    } else if (format == FloatFormat.FLOAT32
        || (exact == Math.rint(exact) && Math.abs(exact) < PLAIN)) {
      return Float.toString((float) exact);
    }
    for (int digits = 1; ; digits++) { // as few digits as possible; the exact value ends the search
      String text = new BigDecimal(exact).round(new MathContext(digits)).toString();
      if (parse(text, format) == raw) {
        return text;
      }
    }
  }
}
