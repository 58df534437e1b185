package dev.zarrreactive.internal.statistics;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * An exact sum of finite doubles, or of their squares: a number in fixed point, wide enough for
 * every double. The result is independent of the order.
 */
public final class ExactSum {
  /** The exponent of the lowest bit: that of the least double. */
  private static final int LEAST_EXPONENT = 1074;

  private static final int LIMBS = 70;
  private static final long LIMB = 0xFFFF_FFFFL;

  /** Between these the square of a double and the error of its rounding are doubles. */
  private static final double SMALL = 0x1p-400;

  private static final double LARGE = 0x1p500;

  /** Digits of 32 bits, the lowest first; each has room for a billion carries. */
  private final long[] limbs = new long[LIMBS];

  private int sinceCarried;
  private BigDecimal rest = BigDecimal.ZERO;

  /** Adds a finite number. */
  public void add(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int exponent = (int) (bits >>> 52 & 0x7FF);
    long mantissa = bits & 0xF_FFFF_FFFF_FFFFL;
    int shift = Math.max(0, exponent - 1);
    mantissa |= exponent == 0 ? 0 : 1L << 52;
    int limb = shift >>> 5;
    int offset = shift & 31;
    long lower = mantissa << offset;
    long upper = offset == 0 ? 0 : mantissa >>> (64 - offset);
    if (bits >= 0) {
      limbs[limb] += lower & LIMB;
      limbs[limb + 1] += lower >>> 32;
      limbs[limb + 2] += upper;
    } else {
      limbs[limb] -= lower & LIMB;
      limbs[limb + 1] -= lower >>> 32;
      limbs[limb + 2] -= upper;
    }
    if (++sinceCarried == 1 << 30) {
      carry();
    }
  }

  /** Adds another sum. */
  public void add(ExactSum other) {
    carry();
    other.carry();
    for (int i = 0; i < LIMBS; i++) {
      limbs[i] += other.limbs[i];
    }
    sinceCarried = 1;
    rest = rest.add(other.rest);
  }

  /** Adds the square of a finite number. */
  public void addSquare(double value) {
    double size = Math.abs(value);
    if (size == 0 || (size > SMALL && size < LARGE)) {
      double square = value * value;
      add(square);
      add(Math.fma(value, value, -square)); // the error of the rounding, exactly
    } else {
      rest = rest.add(new BigDecimal(value).pow(2));
    }
  }

  private void carry() {
    for (int i = 0; i < LIMBS - 1; i++) {
      limbs[i + 1] += limbs[i] >> 32;
      limbs[i] &= LIMB;
    }
    sinceCarried = 0;
  }

  /** Returns the sum. */
  public BigDecimal value() {
    carry();
    BigInteger sum = BigInteger.valueOf(limbs[LIMBS - 1]);
    for (int i = LIMBS - 2; i >= 0; i--) {
      sum = sum.shiftLeft(32).add(BigInteger.valueOf(limbs[i]));
    }
    if (sum.signum() == 0) {
      return rest;
    }
    int zeros = Math.min(LEAST_EXPONENT, sum.getLowestSetBit());
    BigDecimal scale = BigDecimal.valueOf(2).pow(LEAST_EXPONENT - zeros);
    return new BigDecimal(sum.shiftRight(zeros)).divide(scale).add(rest);
  }

  @Override
  public String toString() {
    return Arrays.toString(limbs);
  }
}
