package dev.zarrreactive.internal.element;

import dev.zarrreactive.json.JsonNumber;
import java.math.BigDecimal;
import java.math.MathContext;

/** Formats floats as NumPy prints them, with a point and at most eight digits. */
final class NumberText {
  private static final MathContext DIGITS = new MathContext(8);

  private NumberText() {}

  /** Returns the text of a NaN or an infinity. */
  static String of(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return value > 0 ? "inf" : "-inf";
  }

  /** Returns the text of a finite float. */
  static String of(JsonNumber number) {
    BigDecimal value = new BigDecimal(number.text()).round(DIGITS).stripTrailingZeros();
    if (value.signum() == 0) {
      return number.text().startsWith("-") ? "-0." : "0.";
    }
    int exponent = value.precision() - value.scale() - 1;
    if (exponent < -4 || exponent >= DIGITS.getPrecision()) {
      return scientific(value.unscaledValue().toString(), exponent);
    }
    String plain = value.toPlainString();
    return plain.contains(".") ? plain : plain + ".";
  }

  private static String scientific(String digits, int exponent) {
    int first = digits.startsWith("-") ? 2 : 1;
    String size = Integer.toString(Math.abs(exponent));
    return digits.substring(0, first)
        + "."
        + digits.substring(first)
        + (exponent < 0 ? "e-" : "e+")
        + (size.length() < 2 ? "0" + size : size);
  }
}
