package dev.zarrreactive.internal.expression;

/** An operation on two numbers. */
public enum Operator {
  /** The sum; of booleans whether one of them is true. */
  PLUS("+"),

  /** The difference. */
  MINUS("-"),

  /** The product; of booleans whether both are true. */
  TIMES("*"),

  /** The quotient, which is of a float type. */
  DIVIDED_BY("/"),

  /** Whether the first number is less. */
  LESS("<"),

  /** Whether the first number is less, or both are equal. */
  AT_MOST("<="),

  /** Whether both are equal; NaN equals nothing. */
  EQUAL("=="),

  /** Whether both differ. */
  UNEQUAL("!="),

  /** Whether both booleans are true. */
  AND("&"),

  /** Whether one of two booleans is true, or both. */
  OR("|");

  private final String sign;

  Operator(String sign) {
    this.sign = sign;
  }

  /** Returns true if the result is a boolean, whatever the numbers are. */
  boolean isComparison() {
    return this == LESS || this == AT_MOST || this == EQUAL || this == UNEQUAL;
  }

  /** Returns true if the operands must be booleans. */
  boolean isLogical() {
    return this == AND || this == OR;
  }

  /** Returns the sign by which Python knows it. */
  @Override
  public String toString() {
    return sign;
  }
}
