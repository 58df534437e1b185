package dev.zarrreactive.internal.statistics;

import java.math.BigInteger;

/** An exact sum of integers of 64 bits or of their squares: 192 bits hold 2^63 squares. */
public final class WideSum {
  private long low;
  private long middle;
  private long high;

  /** Adds an unsigned number. */
  public void add(long value) {
    add(0, value);
  }

  /** Adds the square of an unsigned number. */
  public void addSquare(long value) {
    // the sign of a long is the highest bit of an unsigned one
    long upper = Math.multiplyHigh(value, value) + 2 * ((value >> 63) & value);
    add(upper, value * value);
  }

  private void add(long upper, long lower) {
    low += lower;
    long carry = Long.compareUnsigned(low, lower) < 0 ? 1 : 0;
    middle += carry;
    high += carry == 1 && middle == 0 ? 1 : 0;
    middle += upper;
    high += Long.compareUnsigned(middle, upper) < 0 ? 1 : 0;
  }

  /** Adds another sum. */
  public void add(WideSum other) {
    add(other.middle, other.low);
    high += other.high;
  }

  /** Returns the sum. */
  public BigInteger value() {
    return unsigned(high).shiftLeft(128).or(unsigned(middle).shiftLeft(64)).or(unsigned(low));
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }
}
