package dev.zarrreactive.datatype;

import java.math.BigDecimal;
import java.math.MathContext;

/** Decimal text to the bits of a float and back, each rounded once, ties to even. */
final class FloatText {
  private FloatText() {}

  /** The bits of the float of {@code bits} bits that is nearest to the decimal text. */
  static long parse(String text, int bits) {
    return switch (bits) {
      case 16 -> parseHalf(text);
      case 32 -> Float.floatToRawIntBits(Float.parseFloat(text)) & 0xffff_ffffL;
      default -> Double.doubleToRawLongBits(Double.parseDouble(text));
    };
  }

  private static long parseHalf(String text) {
    double nearest = Double.parseDouble(text);
    long sign = Double.doubleToRawLongBits(nearest) >>> 48 & 0x8000;
    double size = Math.abs(nearest);
    if (size > 65520) {
      return sign | 0x7c00;
    }
    if (size < 0x1p-26) {
      return sign;
    }
    // In units of the last place: a subnormal half counts in 2^-24.
    int exponent = Math.max(Math.getExponent(size), -14);
    double units = Math.scalb(size, 10 - exponent);
    long whole = (long) units;
    double rest = units - whole;
    if (rest == 0.5) {
      // A tie as a double, but perhaps not as text.
      rest += 0.25 * new BigDecimal(text).abs().compareTo(new BigDecimal(size));
    }
    if (rest > 0.5 || (rest == 0.5 && (whole & 1) == 1)) {
      whole++;
    }
    // A normal half has its implicit bit in "whole", which adds one to the exponent field.
    return sign | (((long) (exponent + 14) << 10) + whole);
  }

  /** The bits of the half that is nearest to {@code value}. */
  static short floatToHalf(float value) {
    if (Float.isNaN(value)) {
      int raw = Float.floatToRawIntBits(value);
      return (short) (raw >>> 16 & 0x8000 | 0x7e00 | raw >>> 13 & 0x3ff);
    }
    if (Float.isInfinite(value)) {
      return (short) (value > 0 ? 0x7c00 : 0xfc00);
    }
    return value == 0
        ? (short) (Float.floatToRawIntBits(value) >>> 16)
        : (short) parseHalf(new BigDecimal(value).toString());
  }

  /** The value of a half, exactly. */
  static float halfToFloat(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = half >>> 10 & 0x1f;
    int mantissa = half & 0x3ff;
    if (exponent == 0) {
      return Math.copySign(mantissa * 0x1p-24f, sign < 0 ? -1f : 1f);
    }
    int field = exponent == 0x1f ? 0xff : exponent + 112;
    return Float.intBitsToFloat(sign | field << 23 | mantissa << 13);
  }

  /** Decimal text that parses to exactly these finite bits. */
  static String format(long raw, int bits) {
    return switch (bits) {
      case 16 -> formatHalf((short) raw);
      case 32 -> Float.toString(Float.intBitsToFloat((int) raw));
      default -> Double.toString(Double.longBitsToDouble(raw));
    };
  }

  private static String formatHalf(short half) {
    float exact = halfToFloat(half);
    if (exact == 0) {
      return Float.toString(exact);
    }
    for (int digits = 1; digits < 6; digits++) {
      String text =
          Float.toString(new BigDecimal(exact).round(new MathContext(digits)).floatValue());
      if ((short) parseHalf(text) == half) {
        return text;
      }
    }
    return Float.toString(exact);
  }
}
