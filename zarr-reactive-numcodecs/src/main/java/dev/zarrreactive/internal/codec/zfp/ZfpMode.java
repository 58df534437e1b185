package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;

/**
 * What of a block is stored, in zfp's four numbers; each of its modes is a choice of them.
 *
 * @param minBits the least bits of a block, which is padded
 * @param maxBits the most bits of a block, which is cut
 * @param maxPrecision the most planes of bits
 * @param minExponent the exponent of the lowest plane that is stored, or {@link #REVERSIBLE}
 */
record ZfpMode(int minBits, int maxBits, int maxPrecision, int minExponent) {
  /** No limit of a block's bits: a block of 4⁴ doubles has at most as many. */
  static final int ALL_BITS = 16658;

  static final int ALL_PLANES = 64;

  /** The exponent of the smallest double. */
  static final int LEAST_EXPONENT = -1074;

  /** Below every exponent: blocks are stored without loss. */
  private static final int REVERSIBLE_EXPONENT = LEAST_EXPONENT - 1;

  static final ZfpMode REVERSIBLE = new ZfpMode(1, ALL_BITS, ALL_PLANES, REVERSIBLE_EXPONENT);

  // The mode in a header: a number of 12 bits for the modes with one parameter, or all four numbers
  // behind 12 ones.
  private static final int SHORT_BITS = 12;
  private static final int LONG = 0xfff;
  private static final int RATES = 2048;
  private static final int PRECISIONS = 128;
  private static final int AS_REVERSIBLE = RATES + PRECISIONS;
  private static final int LENGTH_BITS = 15;
  private static final int PRECISION_BITS = 7;
  private static final int EXPONENT_BITS = 15;
  private static final int EXPONENT_BIAS = 16495;

  boolean isReversible() {
    return minExponent < LEAST_EXPONENT;
  }

  /** Returns the mode in which each block has as many bits as {@code rate} says for a number. */
  static ZfpMode ofRate(double rate, ZfpScalar scalar, int rank) {
    int bits = (int) Math.floor((1 << (2 * rank)) * rate + 0.5);
    bits = Math.max(bits, scalar.isFloat() ? 1 + scalar.exponentBits() : 1);
    return new ZfpMode(bits, bits, ALL_PLANES, LEAST_EXPONENT);
  }

  static ZfpMode ofPrecision(int precision) {
    return new ZfpMode(
        1, ALL_BITS, precision == 0 ? ALL_PLANES : Math.min(precision, ALL_PLANES), LEAST_EXPONENT);
  }

  /** Returns the mode in which floats deviate by at most {@code tolerance}. */
  static ZfpMode ofTolerance(double tolerance) {
    int exponent = LEAST_EXPONENT;
    if (tolerance >= Double.MIN_NORMAL) {
      exponent = Math.getExponent(tolerance);
    } else if (tolerance > 0) {
      exponent = 63 - Long.numberOfLeadingZeros(Double.doubleToRawLongBits(tolerance)) - 1074;
    }
    return new ZfpMode(1, ALL_BITS, ALL_PLANES, exponent);
  }

  /** Returns the most planes that a block with this exponent has. */
  int planes(int exponent, int rank) {
    return Math.min(maxPrecision, Math.max(0, exponent - minExponent + 2 * rank + 2));
  }

  /** Returns the bits that are left of {@code maxBits} after {@code used}; zfp lets none wrap. */
  int left(int used) {
    return maxBits >= used ? maxBits - used : Integer.MAX_VALUE;
  }

  static ZfpMode read(BitInput in) {
    int mode = (int) in.bits(SHORT_BITS);
    if (mode == LONG) {
      int minBits = (int) in.bits(LENGTH_BITS) + 1;
      int maxBits = (int) in.bits(LENGTH_BITS) + 1;
      int precision = (int) in.bits(PRECISION_BITS) + 1;
      int exponent = (int) in.bits(EXPONENT_BITS) - EXPONENT_BIAS;
      if (minBits > maxBits || precision > ALL_PLANES) {
        throw new CodecException(
            "the header's mode is damaged: "
                + minBits
                + " to "
                + maxBits
                + " bits a block of "
                + precision
                + " planes",
            Location.UNKNOWN);
      }
      return new ZfpMode(minBits, maxBits, precision, exponent);
    } else if (mode < RATES) {
      return new ZfpMode(mode + 1, mode + 1, ALL_PLANES, LEAST_EXPONENT);
    } else if (mode < AS_REVERSIBLE) {
      return ofPrecision(mode + 1 - RATES);
    } else if (mode == AS_REVERSIBLE) {
      return REVERSIBLE;
    }
    return new ZfpMode(1, ALL_BITS, ALL_PLANES, mode - AS_REVERSIBLE - 1 + LEAST_EXPONENT);
  }

  void write(BitOutput out) {
    int mode = shortForm();
    out.bits(mode, SHORT_BITS);
    if (mode == LONG) {
      out.bits(Math.min(minBits, 1 << LENGTH_BITS) - 1, LENGTH_BITS);
      out.bits(Math.min(maxBits, 1 << LENGTH_BITS) - 1, LENGTH_BITS);
      out.bits(maxPrecision - 1, PRECISION_BITS);
      out.bits(
          Math.max(0, Math.min(minExponent + EXPONENT_BIAS, (1 << EXPONENT_BITS) - 1)),
          EXPONENT_BITS);
    }
  }

  private int shortForm() {
    boolean anyLength = minBits == 1 && maxBits >= ALL_BITS;
    boolean anyPlanes = maxPrecision == ALL_PLANES;
    if (minBits == maxBits && anyPlanes && minExponent == LEAST_EXPONENT) {
      return maxBits <= RATES ? maxBits - 1 : LONG;
    } else if (!anyLength || (anyPlanes && minExponent == LEAST_EXPONENT)) {
      return LONG;
    } else if (minExponent == LEAST_EXPONENT) {
      return RATES + maxPrecision - 1;
    } else if (!anyPlanes) {
      return LONG;
    } else if (isReversible()) {
      return AS_REVERSIBLE;
    }
    int accuracy = minExponent - LEAST_EXPONENT + AS_REVERSIBLE + 1;
    return accuracy < LONG ? accuracy : LONG;
  }
}
