package dev.zarrreactive.datatype;

import java.math.BigDecimal;
import java.math.MathContext;

/** Decimal text to the bits of a float and back, each rounded once, ties to even. */
final class FloatText {
  /** Integers below this are written with all their digits, as Java writes them. */
  private static final double PLAIN = 1e7;

  private FloatText() {}

  /** The bits of the number nearest to the decimal text, or {@link FloatRounding#NOTHING}. */
  static long parse(String text, FloatFormat format) {
    double nearest = Double.parseDouble(text);
    if (Double.isFinite(nearest) && FloatRounding.isTie(format, nearest)) {
      // A tie as a double, but perhaps not as text.
      int side = new BigDecimal(text).compareTo(new BigDecimal(nearest));
      if (side != 0) {
        nearest = side > 0 ? Math.nextUp(nearest) : Math.nextDown(nearest);
      }
    }
    return FloatRounding.nearestFinite(format, nearest);
  }

  /** Decimal text that parses to exactly these finite bits. */
  static String format(long raw, FloatFormat format) {
    double exact = format.toDouble(raw);
    if (format == FloatFormat.FLOAT64) {
      return Double.toString(exact);
    } else if (format == FloatFormat.FLOAT32
        || (exact == Math.rint(exact) && Math.abs(exact) < PLAIN)) {
      return Float.toString((float) exact);
    }
    for (int digits = 1; ; digits++) { // as few as it takes; the exact value ends the search
      String text = new BigDecimal(exact).round(new MathContext(digits)).toString();
      if (parse(text, format) == raw) {
        return text;
      }
    }
  }
}
