package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Scalar;
import org.jspecify.annotations.Nullable;

/**
 * The {@code bitround} codec: rounds to the nearest number with {@code keepbits} significant bits,
 * ties to even. Of floats these are bits of the mantissa. Decoding changes nothing.
 */
final class BitroundCodec implements ArrayToArrayCodec {
  static final String NAME = "bitround";

  /** The codec's name in numcodecs, which rounds floats only. */
  static final String OTHER_NAME = "numcodecs.bitround";

  private final NamedConfiguration configuration;
  private final int keepBits;

  private BitroundCodec(NamedConfiguration configuration, int keepBits) {
    this.configuration = configuration;
    this.keepBits = keepBits;
  }

  static BitroundCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("keepbits");
    int least = use.name().equals(OTHER_NAME) ? 0 : 1;
    return new BitroundCodec(use, use.member("keepbits").integer(least, Integer.MAX_VALUE));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  private @Nullable Scalar component(DataType type) {
    if (type instanceof TimeType && !name().equals(OTHER_NAME)) {
      return Scalar.INT64;
    }
    Scalar scalar = Scalar.of(type instanceof ComplexType complex ? complex.component() : type);
    if (scalar == null || scalar == Scalar.BOOL) {
      return null;
    }
    // in a format without infinity, rounding up from the largest number would give another kind of
    // value
    boolean taken = scalar.isFloat() ? scalar.format().hasInfinity() : !name().equals(OTHER_NAME);
    return taken ? scalar : null;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    DataType type = decoded.dataType();
    Scalar scalar = component(type);
    if (scalar == null) {
      throw configuration.error(type + " cannot be rounded to bits");
    }
    return new ChunkRepresentation(
        decoded.shape(),
        type,
        Elementwise.map(decoded.fillValue(), scalar, type, scalar, x -> rounded(x, scalar)));
  }

  @Override
  public NdArray encode(NdArray decoded) {
    Scalar scalar = component(decoded.dataType());
    if (scalar == null) {
      throw new IllegalArgumentException("cannot round " + decoded.dataType());
    }
    return Elementwise.map(decoded, scalar, decoded.dataType(), scalar, x -> rounded(x, scalar));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    return encoded;
  }

  private long rounded(long element, Scalar scalar) {
    return scalar.isFloat() ? roundedFloat(element, scalar) : roundedInteger(element, scalar);
  }

  private long roundedFloat(long bits, Scalar scalar) {
    int drop = scalar.format().mantissaBits() - keepBits;
    return drop <= 0 || Double.isNaN(scalar.toDouble(bits)) ? bits : rounded(bits, drop);
  }

  private static long rounded(long bits, int drop) {
    return (bits + half(bits, drop)) & (-1L << drop);
  }

  /** Returns the addend before the lowest {@code drop} bits are cleared. */
  private static long half(long bits, int drop) {
    return ((bits >>> drop) & 1) + (1L << (drop - 1)) - 1;
  }

  private long roundedInteger(long value, Scalar scalar) {
    int size = scalar.bits();
    long image = value & (-1L >>> (Long.SIZE - size));
    int drop = Long.SIZE - Long.numberOfLeadingZeros(image) - keepBits;
    if (drop <= 0) {
      return value;
    }
    long most = -1L >>> (Long.SIZE - size + (scalar.isSigned() ? 1 : 0));
    long sum = value + half(image, drop);
    boolean over =
        scalar.isSigned()
            ? sum > most || (value > 0 && sum < 0)
            : Long.compareUnsigned(sum, most) > 0 || Long.compareUnsigned(sum, value) < 0;
    return (over ? most : sum) & (-1L << drop);
  }
}
