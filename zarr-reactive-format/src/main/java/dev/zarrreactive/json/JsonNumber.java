package dev.zarrreactive.json;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A JSON number in its original spelling: {@code 1.0}, {@code 1} and {@code 1e0} differ. Below
 * {@code attributes} it may also be {@code NaN}, {@code Infinity} or {@code -Infinity}: other
 * programs write these tokens there, although JSON does not allow them.
 */
public record JsonNumber(String text) implements JsonValue {

  /** Returns the number {@code value}. */
  public static JsonNumber of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  /** Returns true for a token without fraction and exponent. */
  public boolean isInteger() {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** Returns false for the tokens {@code NaN} and {@code Infinity}. */
  public boolean isFinite() {
    return !text.endsWith("N") && !text.endsWith("y");
  }

  /** The exact value of an integer token. */
  public BigInteger toBigInteger() {
    return new BigInteger(text);
  }

  /** The exact value of a finite number. Its exponent may be huge: do not expand it. */
  public BigDecimal toBigDecimal() {
    return new BigDecimal(text);
  }

  /** The nearest double, which is infinite for a number beyond the range of doubles. */
  public double toDouble() {
    return Double.parseDouble(text);
  }

  @Override
  public String kind() {
    return "number";
  }

  @Override
  public String toString() {
    return JsonText.write(this);
  }
}
