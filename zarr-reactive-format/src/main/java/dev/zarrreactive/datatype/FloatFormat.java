package dev.zarrreactive.datatype;

/**
 * The binary formats of floats: a sign, an exponent and a mantissa, the most significant bit first.
 * All have the layout of IEEE 754. They differ in the sizes of the fields, and in the special
 * values.
 */
public enum FloatFormat {
  /** IEEE 754 binary16. */
  FLOAT16("float16", 5, 10, 15, Specials.IEEE),
  /** IEEE 754 binary32. */
  FLOAT32("float32", 8, 23, 127, Specials.IEEE),
  /** IEEE 754 binary64. */
  FLOAT64("float64", 11, 52, 1023, Specials.IEEE),
  /** The upper half of a {@link #FLOAT32}. */
  BFLOAT16("bfloat16", 8, 7, 127, Specials.IEEE),
  /** Eight bits, mostly mantissa. */
  FLOAT8_E3M4("float8_e3m4", 3, 4, 3, Specials.IEEE),
  /** Eight bits with infinities, unlike the format of this name with {@code fn} at its end. */
  FLOAT8_E4M3("float8_e4m3", 4, 3, 7, Specials.IEEE),
  /** Eight bits without infinities, with a NaN of either sign: TensorStore's and JAX's format. */
  FLOAT8_E4M3FN("float8_e4m3fn", 4, 3, 7, Specials.NAN_WITH_ALL_BITS),
  /** Eight bits: the upper half of a {@link #FLOAT16}. */
  FLOAT8_E5M2("float8_e5m2", 5, 2, 15, Specials.IEEE),
  /** Eight bits without infinities, with one zero and one NaN. */
  FLOAT8_E4M3FNUZ("float8_e4m3fnuz", 4, 3, 8, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits without infinities, with one zero and one NaN, for numbers around 1. */
  FLOAT8_E4M3B11FNUZ("float8_e4m3b11fnuz", 4, 3, 11, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits without infinities, with one zero and one NaN, mostly exponent. */
  FLOAT8_E5M2FNUZ("float8_e5m2fnuz", 5, 2, 16, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits of exponent: powers of two, and NaN. */
  FLOAT8_E8M0FNU("float8_e8m0fnu", 8, 0, 127, Specials.POWERS_OF_TWO),
  /** Six bits, mostly mantissa, without infinities and NaN. */
  FLOAT6_E2M3FN("float6_e2m3fn", 2, 3, 1, Specials.NONE),
  /** Six bits, mostly exponent, without infinities and NaN. */
  FLOAT6_E3M2FN("float6_e3m2fn", 3, 2, 3, Specials.NONE),
  /** Four bits, without infinities and NaN. */
  FLOAT4_E2M1FN("float4_e2m1fn", 2, 1, 1, Specials.NONE);

  /** The values besides the finite numbers. */
  private enum Specials {
    /** Infinities and NaNs, with all bits of the exponent set. */
    IEEE,
    /** One NaN of either sign, with all other bits set. */
    NAN_WITH_ALL_BITS,
    /** One NaN, in place of the negative zero. */
    NAN_FOR_NEGATIVE_ZERO,
    /** One NaN with all bits set, and neither a sign nor a zero. */
    POWERS_OF_TWO,
    /** Only finite numbers. */
    NONE
  }

  private final String typeName;
  private final int bits;
  private final int mantissaBits;
  private final int bias;
  private final Specials specials;

  FloatFormat(String typeName, int exponentBits, int mantissaBits, int bias, Specials specials) {
    this.typeName = typeName;
    this.bits = (specials == Specials.POWERS_OF_TWO ? 0 : 1) + exponentBits + mantissaBits;
    this.mantissaBits = mantissaBits;
    this.bias = bias;
    this.specials = specials;
  }

  /** The name of the data type. */
  public String typeName() {
    return typeName;
  }

  /** The number of bits of a float. */
  public int bits() {
    return bits;
  }

  /** The number of stored bits of the mantissa, without the implicit leading one. */
  public int mantissaBits() {
    return mantissaBits;
  }

  /** Returns true if the format has infinities. */
  public boolean hasInfinity() {
    return specials == Specials.IEEE;
  }

  /** Returns true if the format has a NaN. */
  public boolean hasNaN() {
    return specials != Specials.NONE;
  }

  /** The bit of the sign, or zero for a format without a sign. */
  public long signBit() {
    return specials == Specials.POWERS_OF_TWO ? 0 : 1L << (bits - 1);
  }

  /** Returns the bits of a float without the padding of its image. */
  long significant(long raw) {
    return raw & (-1L >>> (Long.SIZE - bits));
  }

  /** The bits of the positive infinity, if the format has one. */
  long infinity() {
    return signBit() - (1L << mantissaBits);
  }

  /** The bits of an infinity of either sign, if the format has infinities. */
  long infinity(boolean negative) {
    return negative ? signBit() | infinity() : infinity();
  }

  /** The bits of the text {@code NaN}, if the format has a NaN. */
  long canonicalNaN() {
    return switch (specials) {
      case IEEE -> infinity() | 1L << (mantissaBits - 1);
      case NAN_WITH_ALL_BITS -> signBit() - 1;
      case NAN_FOR_NEGATIVE_ZERO -> signBit();
      case POWERS_OF_TWO, NONE -> significant(-1);
    };
  }

  boolean isNaN(long raw) {
    return switch (specials) {
      case IEEE -> (raw & ~signBit()) > infinity();
      case NAN_WITH_ALL_BITS -> (raw & ~signBit()) == canonicalNaN();
      case NAN_FOR_NEGATIVE_ZERO, POWERS_OF_TWO -> raw == canonicalNaN();
      case NONE -> false;
    };
  }

  /** Returns true if the format has a zero. A format without a zero has positive numbers only. */
  public boolean hasZero() {
    return specials != Specials.POWERS_OF_TWO;
  }

  /** Returns true if the format has a zero and subnormal numbers. */
  boolean hasSubnormals() {
    return hasZero();
  }

  /** Returns true if the format has a negative zero. */
  boolean hasNegativeZero() {
    return specials != Specials.NAN_FOR_NEGATIVE_ZERO && specials != Specials.POWERS_OF_TWO;
  }

  /** The exponent of the number 1. */
  int bias() {
    return bias;
  }

  boolean isInfinite(long raw) {
    return hasInfinity() && (raw & ~signBit()) == infinity();
  }

  /** The bits of the largest number. */
  public long largest() {
    return switch (specials) {
      case IEEE -> infinity() - 1;
      case NAN_FOR_NEGATIVE_ZERO, NONE -> signBit() - 1;
      case NAN_WITH_ALL_BITS, POWERS_OF_TWO -> canonicalNaN() - 1;
    };
  }

  /**
   * Returns the exact value. Bits above those of the format are ignored. A NaN keeps its sign and
   * payload.
   */
  public double toDouble(long image) {
    long raw = significant(image);
    long magnitude = raw & ~signBit();
    if (this == FLOAT64) {
      return Double.longBitsToDouble(raw);
    } else if (hasInfinity() && magnitude >= infinity()) {
      long sign = raw == magnitude ? 0 : FLOAT64.signBit();
      long payload = (magnitude - infinity()) << (FLOAT64.mantissaBits - mantissaBits);
      return Double.longBitsToDouble(sign | FLOAT64.infinity() | payload);
    } else if (isNaN(raw)) {
      return Double.NaN;
    }
    double value = finiteToDouble(magnitude);
    return raw == magnitude ? value : -value;
  }

  private double finiteToDouble(long magnitude) {
    long leadingOne = 1L << mantissaBits;
    int exponent = (int) (magnitude >> mantissaBits);
    long mantissa = magnitude & (leadingOne - 1);
    return exponent == 0 && hasSubnormals()
        ? Math.scalb((double) mantissa, 1 - bias - mantissaBits)
        : Math.scalb((double) (leadingOne | mantissa), exponent - bias - mantissaBits);
  }

  /**
   * Returns the bits of the float that is nearest to {@code value}. Ties go to even, or to the
   * larger in a format without a mantissa. A value that rounds beyond the largest number becomes
   * infinity. A NaN becomes the canonical NaN.
   *
   * @throws ArithmeticException if the format cannot represent the value: a NaN, an infinity, or a
   *     number out of its range
   */
  public long nearest(double value) {
    return FloatRounding.nearest(this, value);
  }
}
