package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.LocatedJson;

/**
 * The arithmetic of {@code scale_offset} in one type.
 *
 * @param scalar the type
 * @param offset an element of it
 * @param scale an element of it other than 0
 * @param shift the offset of floats; 0 by default, also in a type without zero
 */
record ScaleOffset(Scalar scalar, long offset, long scale, double shift) {

  /**
   * Reads both numbers as elements of {@code type}.
   *
   * @throws dev.zarrreactive.error.MetadataException for a number that the type does not have, or a
   *     scale of 0
   */
  static ScaleOffset of(NamedConfiguration use, DataType type) {
    Scalar scalar = Scalar.of(type);
    if (scalar == null || scalar == Scalar.BOOL) {
      throw use.error("it computes with integers and floats, but the chunk is " + type);
    }
    LocatedJson offset = use.optional("offset");
    LocatedJson scale = use.optional("scale");
    long one = scalar.isFloat() ? scalar.fromDouble(1) : 1;
    long from = offset == null ? 0 : element(scalar, offset);
    ScaleOffset arithmetic =
        new ScaleOffset(
            scalar,
            from,
            scale == null ? one : element(scalar, scale),
            offset == null || !scalar.isFloat() ? 0 : scalar.toDouble(from));
    if (scale != null && arithmetic.isZero(arithmetic.scale)) {
      throw scale.error("a scale of 0 cannot be undone");
    }
    return arithmetic;
  }

  private static long element(Scalar scalar, LocatedJson json) {
    return scalar.get(scalar.type().parseFillValue(json).image(), 0);
  }

  private boolean isZero(long element) {
    return scalar.isFloat() ? scalar.toDouble(element) == 0 : element == 0;
  }

  long encode(long x) {
    if (scalar.isFloat()) {
      return floats(x, true);
    }
    return scalar == Scalar.UINT64 ? encodeUnsigned(x) : encodeInteger(x);
  }

  long decode(long x) {
    if (scalar.isFloat()) {
      return floats(x, false);
    }
    return scalar == Scalar.UINT64 ? decodeUnsigned(x) : decodeInteger(x);
  }

  /** Rounds each step once: a double holds the exact sum, or one that rounds to the same float. */
  private long floats(long x, boolean encode) {
    double value = scalar.toDouble(x);
    if (Double.isNaN(value)) {
      return x;
    }
    double by = scalar.toDouble(scale);
    try {
      double first = rounded(encode ? value - shift : value / by);
      double result = rounded(encode ? first * by : first + shift);
      if (Double.isFinite(result) || !Double.isFinite(value)) {
        return scalar.fromDouble(result);
      }
    } catch (ArithmeticException e) {
      // the type lacks an infinity or a zero
    }
    throw outOfRange(x, encode);
  }

  private double rounded(double value) {
    return scalar.toDouble(scalar.fromDouble(value));
  }

  private long encodeInteger(long x) {
    try {
      long moved = inRange(Math.subtractExact(x, offset), x, true);
      return inRange(Math.multiplyExact(moved, scale), x, true);
    } catch (ArithmeticException e) {
      throw outOfRange(x, true);
    }
  }

  private long decodeInteger(long x) {
    if (x % scale != 0) {
      throw fraction(x);
    }
    if (x == Long.MIN_VALUE && scale == -1) {
      throw outOfRange(x, false);
    }
    try {
      long divided = inRange(x / scale, x, false);
      return inRange(Math.addExact(divided, offset), x, false);
    } catch (ArithmeticException e) {
      throw outOfRange(x, false);
    }
  }

  private long inRange(long value, long x, boolean encode) {
    if (scalar.narrow(value) != value) {
      throw outOfRange(x, encode);
    }
    return value;
  }

  private long encodeUnsigned(long x) {
    long moved = x - offset;
    if (Long.compareUnsigned(x, offset) < 0
        || Long.compareUnsigned(moved, Long.divideUnsigned(-1, scale)) > 0) {
      throw outOfRange(x, true);
    }
    return moved * scale;
  }

  private long decodeUnsigned(long x) {
    if (Long.remainderUnsigned(x, scale) != 0) {
      throw fraction(x);
    }
    long sum = Long.divideUnsigned(x, scale) + offset;
    if (Long.compareUnsigned(sum, offset) < 0) {
      throw outOfRange(x, false);
    }
    return sum;
  }

  private CodecException outOfRange(long x, boolean encode) {
    return new CodecException(
        text(x)
            + (encode
                ? " less " + shiftText() + ", times " + text(scale)
                : " by " + text(scale) + ", and " + shiftText())
            + " leaves the range of "
            + scalar.type(),
        Location.UNKNOWN);
  }

  private CodecException fraction(long x) {
    return new CodecException(
        text(x) + " is no multiple of the scale " + text(scale), Location.UNKNOWN);
  }

  private String shiftText() {
    return scalar.isFloat() && shift == 0 ? "0" : text(offset);
  }

  private String text(long element) {
    return scalar.text(element);
  }
}
