package dev.zarrreactive.internal.element;

/**
 * Converts halves (IEEE 754 binary16), as 16 bits in a {@code short}. A NaN keeps its sign and the
 * upper bits of its payload.
 */
public final class Float16 {
  private static final int SIGN = 0x8000;
  private static final int INFINITY = 0x7c00;
  private static final int MANTISSA = 0x3ff;

  private static final int FLOAT_INFINITY = 0x7f80_0000;
  private static final int FLOAT_MANTISSA = 0x7f_ffff;

  /** The difference of the numbers of mantissa bits of a float and a half. */
  private static final int MORE_BITS = 13;

  /** The difference of the exponents' biases, in the exponent field of a float. */
  private static final int REBIAS = (127 - 15) << 23;

  private Float16() {}

  /** Returns the exact value of the half with these bits. */
  public static float toFloat(short half) {
    int sign = (half & SIGN) << 16;
    int magnitude = half & Short.MAX_VALUE;
    if (magnitude >= INFINITY) {
      return Float.intBitsToFloat(sign | FLOAT_INFINITY | (half & MANTISSA) << MORE_BITS);
    }
    if (magnitude <= MANTISSA) { // subnormal: a multiple of 2^-24
      return Float.intBitsToFloat(sign | Float.floatToRawIntBits(magnitude * 0x1p-24f));
    }
    return Float.intBitsToFloat(sign | ((magnitude << MORE_BITS) + REBIAS));
  }

  /** Returns the bits of the half that is nearest to {@code value}, ties to even. */
  public static short fromFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 16) & SIGN;
    int magnitude = bits & Integer.MAX_VALUE;
    if (magnitude > FLOAT_INFINITY) {
      int payload = (bits & FLOAT_MANTISSA) >>> MORE_BITS;
      return (short) (sign | INFINITY | (payload == 0 ? 0x200 : payload));
    }
    if (magnitude >= Float.floatToRawIntBits(0x1p16f)) {
      return (short) (sign | INFINITY);
    }
    if (magnitude >= Float.floatToRawIntBits(0x1p-14f)) {
      // A carry out of the mantissa correctly adds one to the exponent.
      return (short) (sign | roundedShift(magnitude - REBIAS, MORE_BITS));
    }
    // Subnormal: the quotient of mantissa * 2^(exponent - 150) and 2^-24
    int shift = 126 - (magnitude >>> 23);
    int mantissa = (magnitude & FLOAT_MANTISSA) | (FLOAT_MANTISSA + 1);
    return (short) (sign | (shift > 25 ? 0 : roundedShift(mantissa, shift)));
  }

  /** Returns {@code value / 2^shift}, ties to even. */
  private static int roundedShift(int value, int shift) {
    int even = (value >>> shift) & 1;
    return (value + (1 << (shift - 1)) - 1 + even) >>> shift;
  }
}
