package dev.zarrreactive.datatype;

import java.math.BigDecimal;
import java.math.MathContext;

/** Decimal text to the bits of a float and back, each rounded once, ties to even. */
final class FloatText {
  private FloatText() {}

  /** The bits of the float of {@code bits} bits that is nearest to the decimal text. */
  static long parse(String text, int bits) {
    return switch (bits) {
      case 16 -> parseHalf(text) & 0xffffL;
      case 32 -> Float.floatToRawIntBits(Float.parseFloat(text)) & 0xffff_ffffL;
      default -> Double.doubleToRawLongBits(Double.parseDouble(text));
    };
  }

  /** Decimal text that parses to exactly these finite bits. */
  static String format(long raw, int bits) {
    return switch (bits) {
      case 16 -> formatHalf((short) raw);
      case 32 -> Float.toString(Float.intBitsToFloat((int) raw));
      default -> Double.toString(Double.longBitsToDouble(raw));
    };
  }

  private static short parseHalf(String text) {
    float nearest = Float.parseFloat(text);
    if (nearest != 0 && isTie(nearest)) {
      // A tie as a float, but perhaps not as text.
      int side = new BigDecimal(text).compareTo(new BigDecimal(nearest));
      if (side != 0) {
        return Float16.fromFloat(side > 0 ? Math.nextUp(nearest) : Math.nextDown(nearest));
      }
    }
    return Float16.fromFloat(nearest);
  }

  /** True where {@code value} lies in the middle between two halves. */
  private static boolean isTie(float value) {
    return Float16.fromFloat(Math.nextUp(value)) != Float16.fromFloat(Math.nextDown(value));
  }

  /** Integers exactly, other halves with as few digits as it takes. */
  private static String formatHalf(short half) {
    float exact = Float16.toFloat(half);
    if (exact == Math.rint(exact)) {
      return Float.toString(exact);
    }
    for (int digits = 1; digits < 5; digits++) { // 5 are enough for every half
      String text = rounded(exact, digits);
      if (parseHalf(text) == half) {
        return text;
      }
    }
    return rounded(exact, 5);
  }

  private static String rounded(float exact, int digits) {
    return new BigDecimal(exact).round(new MathContext(digits)).toString();
  }
}
