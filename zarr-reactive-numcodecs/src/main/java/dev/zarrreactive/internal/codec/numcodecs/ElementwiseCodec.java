package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.elementwise.Elementwise;
import dev.zarrreactive.internal.element.Scalar;
import java.util.function.LongUnaryOperator;

/** Maps each element to another, possibly of another type, independent of its neighbours. */
final class ElementwiseCodec implements ArrayToArrayCodec {
  private final NamedConfiguration configuration;
  private final Scalar decodedType;
  private final Scalar encodedType;
  private final LongUnaryOperator encode;
  private final LongUnaryOperator decode;

  ElementwiseCodec(
      NamedConfiguration configuration,
      Scalar decodedType,
      Scalar encodedType,
      LongUnaryOperator encode,
      LongUnaryOperator decode) {
    this.configuration = configuration;
    this.decodedType = decodedType;
    this.encodedType = encodedType;
    this.encode = encode;
    this.decode = decode;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    Delta.checkType(configuration, decoded, decodedType);
    return new ChunkRepresentation(
        decoded.shape(),
        encodedType.type(),
        Elementwise.map(decoded.fillValue(), decodedType, encodedType.type(), encodedType, encode));
  }

  @Override
  public NdArray encode(NdArray decoded) {
    return Elementwise.map(decoded, decodedType, encodedType.type(), encodedType, encode);
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    return Elementwise.map(encoded, encodedType, decoded.dataType(), decodedType, decode);
  }
}
