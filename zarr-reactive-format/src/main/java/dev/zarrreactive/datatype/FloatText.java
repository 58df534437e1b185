package dev.zarrreactive.datatype;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Converts decimal text to the bits of a float and back. Each conversion rounds once, ties to even.
 */
final class FloatText {
  /** The limit of integers that Java writes with all digits. */
  private static final double PLAIN = 1e7;

  private FloatText() {}

  /**
   * Returns the bits of the number nearest to the decimal text, or {@link FloatRounding#NOTHING}.
   */
  static long parse(String text, FloatFormat format) {
    double nearest = Double.parseDouble(text);
    if (Double.isFinite(nearest) && FloatRounding.isTie(format, nearest)) {
      // The double is a tie, but the text may be above or below it.
      int side = new BigDecimal(text).compareTo(new BigDecimal(nearest));
      if (side != 0) {
        nearest = side > 0 ? Math.nextUp(nearest) : Math.nextDown(nearest);
      }
    }
    return FloatRounding.nearestFinite(format, nearest);
  }

  /** Returns decimal text that parses to exactly these finite bits. */
  static String format(long raw, FloatFormat format) {
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
