package dev.zarrreactive.datatype;

/**
 * The binary formats of floats: a sign, an exponent and a mantissa, the most significant bit first.
 * All are laid out as IEEE 754 lays out its own; they differ in their sizes and in what is there
 * beside the finite numbers.
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
  /** Eight bits: the upper half of a {@link #FLOAT16}. */
  FLOAT8_E5M2("float8_e5m2", 5, 2, 15, Specials.IEEE),
  /** Eight bits without infinities, with one zero and one NaN. */
  FLOAT8_E4M3FNUZ("float8_e4m3fnuz", 4, 3, 8, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits without infinities, with one zero and one NaN, for numbers around 1. */
  FLOAT8_E4M3B11FNUZ("float8_e4m3b11fnuz", 4, 3, 11, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits without infinities, with one zero and one NaN, mostly exponent. */
  FLOAT8_E5M2FNUZ("float8_e5m2fnuz", 5, 2, 16, Specials.NAN_FOR_NEGATIVE_ZERO),
  /** Eight bits of exponent and nothing else: powers of two, and NaN. */
  FLOAT8_E8M0FNU("float8_e8m0fnu", 8, 0, 127, Specials.POWERS_OF_TWO),
  /** Six bits, mostly mantissa, without infinities and NaN. */
  FLOAT6_E2M3FN("float6_e2m3fn", 2, 3, 1, Specials.NONE),
  /** Six bits, mostly exponent, without infinities and NaN. */
  FLOAT6_E3M2FN("float6_e3m2fn", 3, 2, 3, Specials.NONE),
  /** Four bits, without infinities and NaN. */
  FLOAT4_E2M1FN("float4_e2m1fn", 2, 1, 1, Specials.NONE);

  /** What there is beside the finite numbers. */
  private enum Specials {
    /** Infinities and NaNs, where all bits of the exponent are one. */
    IEEE,
    /** One NaN, where the negative zero would be. */
    NAN_FOR_NEGATIVE_ZERO,
    /** One NaN, where all bits are one; and neither a sign nor a zero. */
    POWERS_OF_TWO,
    /** Nothing. */
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

  /** The name of the data type of such floats. */
  public String typeName() {
    return typeName;
  }

  /** How many bits a float has. */
  public int bits() {
    return bits;
  }

  /** How many bits the mantissa has, without the leading one that is not stored. */
  public int mantissaBits() {
    return mantissaBits;
  }

  /** True where there are infinities. */
  public boolean hasInfinity() {
    return specials == Specials.IEEE;
  }

  /** True where there is a NaN. */
  public boolean hasNaN() {
    return specials != Specials.NONE;
  }

  /** The bit of the sign; zero where there is no sign. */
  public long signBit() {
    return specials == Specials.POWERS_OF_TWO ? 0 : 1L << (bits - 1);
  }

  /** The bits that a float has, without those above them in its image. */
  long significant(long raw) {
    return raw & (-1L >>> (Long.SIZE - bits));
  }

  /** The bits of the positive infinity, where there is one. */
  long infinity() {
    return signBit() - (1L << mantissaBits);
  }

  /** The bits of an infinity of either sign, where there are infinities. */
  long infinity(boolean negative) {
    return negative ? signBit() | infinity() : infinity();
  }

  /** The bits that the text {@code NaN} stands for, where there is a NaN. */
  long canonicalNaN() {
    return switch (specials) {
      case IEEE -> infinity() | 1L << (mantissaBits - 1);
      case NAN_FOR_NEGATIVE_ZERO -> signBit();
      case POWERS_OF_TWO, NONE -> significant(-1);
    };
  }

  boolean isNaN(long raw) {
    return switch (specials) {
      case IEEE -> (raw & ~signBit()) > infinity();
      case NAN_FOR_NEGATIVE_ZERO, POWERS_OF_TWO -> raw == canonicalNaN();
      case NONE -> false;
    };
  }

  /** True where there is a zero; where there is none, there are no negative numbers either. */
  public boolean hasZero() {
    return specials != Specials.POWERS_OF_TWO;
  }

  /** True where there are zero and numbers that are smaller than the mantissa's leading one. */
  boolean hasSubnormals() {
    return hasZero();
  }

  /** True where zero has two signs. */
  boolean hasNegativeZero() {
    return specials == Specials.IEEE || specials == Specials.NONE;
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
      case POWERS_OF_TWO -> canonicalNaN() - 1;
    };
  }

  /**
   * The value, exactly. Bits above those of the format are ignored; a NaN keeps its sign and
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
   * The bits of the float that is nearest to {@code value}, ties to even; where every float is odd,
   * to the larger. Infinity where rounding leads beyond the largest number. Of a NaN only that it
   * is one is kept.
   *
   * @throws ArithmeticException where the format has nothing for the value: no NaN, no infinity, no
   *     number so large or, where it has no zero and no sign, so small
   */
  public long nearest(double value) {
    return FloatRounding.nearest(this, value);
  }
}
