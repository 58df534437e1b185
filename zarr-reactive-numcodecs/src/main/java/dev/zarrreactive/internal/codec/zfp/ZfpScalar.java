package dev.zarrreactive.internal.codec.zfp;

/** The four types of numbers that zfp knows. */
enum ZfpScalar {
  INT32(0, 32, 0, 5),
  INT64(1, 64, 0, 6),
  FLOAT32(2, 32, 8, 5),
  FLOAT64(3, 64, 11, 6);

  private final int code;
  private final int bits;
  private final int exponentBits;
  private final int precisionBits;

  ZfpScalar(int code, int bits, int exponentBits, int precisionBits) {
    this.code = code;
    this.bits = bits;
    this.exponentBits = exponentBits;
    this.precisionBits = precisionBits;
  }

  /** Returns the type with a number, of 0 to 3. */
  static ZfpScalar of(int code) {
    return switch (code) {
      case 0 -> INT32;
      case 1 -> INT64;
      case 2 -> FLOAT32;
      default -> FLOAT64;
    };
  }

  /** The number of the type in a header. */
  int code() {
    return code;
  }

  int bits() {
    return bits;
  }

  boolean isFloat() {
    return exponentBits > 0;
  }

  int exponentBits() {
    return exponentBits;
  }

  int exponentBias() {
    return (1 << (exponentBits - 1)) - 1;
  }

  /** The bits that a number of planes takes. */
  int precisionBits() {
    return precisionBits;
  }

  @Override
  public String toString() {
    return switch (this) {
      case INT32 -> "int32";
      case INT64 -> "int64";
      case FLOAT32 -> "float32";
      case FLOAT64 -> "float64";
    };
  }
}
