package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.NumpyTypeName;
import dev.zarrreactive.internal.codec.elementwise.Elementwise;
import dev.zarrreactive.internal.element.Scalar;

/**
 * The codec numcodecs.delta: the first element, then the difference of each to its predecessor in C
 * order. Integers wrap around, floats are rounded.
 */
final class Delta implements ArrayToArrayCodec {
  private final NamedConfiguration configuration;
  private final Scalar decodedType;
  private final Scalar encodedType;

  private Delta(NamedConfiguration configuration, Scalar decodedType, Scalar encodedType) {
    this.configuration = configuration;
    this.decodedType = decodedType;
    this.encodedType = encodedType;
  }

  static Delta of(NamedConfiguration use) {
    use.configuration().allowOnly("dtype", "astype");
    Scalar decoded = NumpyTypeName.parse(use.member("dtype"));
    Scalar encoded = Arithmetic.storedType(use, decoded);
    if (decoded == Scalar.BOOL || encoded == Scalar.BOOL) {
      throw use.configuration().error("bool has no differences");
    }
    return new Delta(use, decoded, encoded);
  }

  /** Checks that a codec's configuration names the type of a chunk, or one of the same bits. */
  static void checkType(
      NamedConfiguration configuration, ChunkRepresentation decoded, Scalar named) {
    if (!named.hasBitsOf(decoded.dataType())) {
      throw configuration.error(
          "it is configured for " + named.type() + ", but the chunk is " + decoded.dataType());
    }
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    checkType(configuration, decoded, decodedType);
    // The fill value is kept, as other programs do: the differences of a filled chunk are not one
    // value.
    return new ChunkRepresentation(
        decoded.shape(),
        encodedType.type(),
        Elementwise.map(
            decoded.fillValue(),
            decodedType,
            encodedType.type(),
            encodedType,
            x -> decodedType.cast(x, encodedType)));
  }

  @Override
  public NdArray encode(NdArray decoded) {
    Bytes image = decoded.bytes();
    byte[] encoded = new byte[decoded.shape().byteSize(encodedType.size())];
    long before = 0;
    for (int i = 0; i < encoded.length / encodedType.size(); i++) {
      long element =
          decodedType.get(image.unsafeArray(), image.unsafeOffset() + i * decodedType.size());
      long difference = i == 0 ? element : sum(element, before, -1);
      before = element;
      encodedType.put(encoded, i * encodedType.size(), decodedType.cast(difference, encodedType));
    }
    return NdArray.wrap(encodedType.type(), decoded.shape(), Bytes.wrap(encoded));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation representation) {
    Bytes image = encoded.bytes();
    byte[] decoded = new byte[representation.shape().byteSize(decodedType.size())];
    long sum = 0;
    for (int i = 0; i < decoded.length / decodedType.size(); i++) {
      long stored =
          encodedType.get(image.unsafeArray(), image.unsafeOffset() + i * encodedType.size());
      long difference = encodedType.cast(stored, decodedType);
      sum = i == 0 ? difference : sum(sum, difference, 1);
      decodedType.put(decoded, i * decodedType.size(), sum);
    }
    return NdArray.wrap(representation.dataType(), representation.shape(), Bytes.wrap(decoded));
  }

  /** Returns {@code a + sign · b} in the type of the chunk. */
  private long sum(long a, long b, int sign) {
    return decodedType.isFloat()
        ? decodedType.fromDouble(decodedType.toDouble(a) + sign * decodedType.toDouble(b))
        : decodedType.narrow(a + sign * b);
  }
}
