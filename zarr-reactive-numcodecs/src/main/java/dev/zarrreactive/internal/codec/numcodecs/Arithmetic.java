package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.NumpyTypeName;
import dev.zarrreactive.internal.element.Scalar;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.LocatedJson;
import java.math.BigInteger;

/**
 * The codecs that compute with single elements, as NumPy does: with floats in their own type, with
 * integers in doubles, and casts wrap around.
 */
final class Arithmetic {
  private static final int MOST_DIGITS = 300;

  private Arithmetic() {}

  /** The codec {@code astype}: from the type of the chunk to the stored type. */
  static Codec asType(NamedConfiguration use) {
    use.configuration().allowOnly("encode_dtype", "decode_dtype");
    Scalar decoded = NumpyTypeName.parse(use.member("decode_dtype"));
    Scalar encoded = NumpyTypeName.parse(use.member("encode_dtype"));
    return new ElementwiseCodec(
        use, decoded, encoded, x -> decoded.cast(x, encoded), x -> encoded.cast(x, decoded));
  }

  /** The codec {@code fixedscaleoffset}: (x - offset) · scale, rounded to the nearest integer. */
  static Codec fixedScaleOffset(NamedConfiguration use) {
    use.configuration().allowOnly("offset", "scale", "dtype", "astype");
    Scalar decoded = NumpyTypeName.parse(use.member("dtype"));
    Scalar encoded = storedType(use, decoded);
    double offset = number(use.member("offset"));
    double scale = number(use.member("scale"));
    if (scale == 0) {
      throw use.member("scale").error("a scale of 0 cannot be undone");
    }
    Scalar encoding = decoded.isFloat() ? decoded : Scalar.FLOAT64;
    Scalar decoding = encoded.isFloat() ? encoded : Scalar.FLOAT64;
    return new ElementwiseCodec(
        use,
        decoded,
        encoded,
        x -> {
          double moved = rounded(decoded.toDouble(x) - offset, encoding);
          double scaled = Math.rint(rounded(moved * scale, encoding));
          return encoding.cast(encoding.fromDouble(scaled), encoded);
        },
        x -> {
          double divided = rounded(encoded.toDouble(x) / scale, decoding);
          return decoding.cast(decoding.fromDouble(divided + offset), decoded);
        });
  }

  /**
   * The codec {@code quantize}: rounds to a power of two that is no coarser than {@code digits}
   * decimal digits behind the point.
   */
  static Codec quantize(NamedConfiguration use) {
    use.configuration().allowOnly("digits", "dtype", "astype");
    Scalar decoded = NumpyTypeName.parse(use.member("dtype"));
    Scalar encoded = storedType(use, decoded);
    if (!decoded.isFloat() || !encoded.isFloat()) {
      throw use.configuration().error("only floats can be quantized");
    }
    int digits = use.member("digits").integer(-MOST_DIGITS, MOST_DIGITS);
    int bitLength = BigInteger.TEN.pow(Math.abs(digits)).bitLength();
    int bits = digits > 0 ? bitLength : 1 - bitLength;
    double scale = Math.scalb(1.0, bits);
    return new ElementwiseCodec(
        use,
        decoded,
        encoded,
        x -> {
          double scaled = Math.rint(rounded(decoded.toDouble(x) * scale, decoded));
          // NaN, an infinity, or a number too large for digits behind the point
          boolean beyond = Double.isInfinite(scaled) || Double.isNaN(scaled);
          long quantized = beyond ? x : decoded.fromDouble(scaled / scale);
          return decoded.cast(quantized, encoded);
        },
        x -> encoded.cast(x, decoded));
  }

  private static double rounded(double value, Scalar type) {
    return type.toDouble(type.fromDouble(value));
  }

  /** Reads the member {@code astype}, by default the type of the chunk. */
  static Scalar storedType(NamedConfiguration use, Scalar decoded) {
    LocatedJson json = OptionalMembers.optional(use, "astype");
    return json == null ? decoded : NumpyTypeName.parse(json);
  }

  private static double number(LocatedJson json) {
    if (json.value() instanceof JsonNumber number && number.isFinite()) {
      double value = Double.parseDouble(number.text());
      if (Double.isFinite(value)) {
        return value;
      }
    }
    throw json.expected("a number");
  }
}
