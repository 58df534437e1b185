package dev.zarrreactive.json;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * A JSON number, kept as it is spelled: {@code 1.0}, {@code 1} and {@code 1e0} stay three
 * spellings. The texts {@code NaN}, {@code Infinity} and {@code -Infinity} occur only below {@code
 * attributes}, where other programs write them although they are not JSON; there they stay.
 */
public record JsonNumber(String text) implements JsonValue {

  /** The number {@code value}. */
  public static JsonNumber of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  /** True for a token without fraction and exponent. */
  public boolean isInteger() {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** False for the tokens {@code NaN} and {@code Infinity}. */
  public boolean isFinite() {
    return !text.endsWith("N") && !text.endsWith("y");
  }

  /** The exact value of an integer token. */
  public BigInteger toBigInteger() {
    return new BigInteger(text);
  }

  /** The exact value of a finite number; may have a huge exponent, so do not expand it. */
  public BigDecimal toBigDecimal() {
    return new BigDecimal(text);
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
