package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Scalar;

/**
 * The {@code scale_offset} codec: (x - offset) · scale, in the data type of the chunk. A result
 * outside the type is an error.
 */
final class ScaleOffsetCodec implements ArrayToArrayCodec {
  static final String NAME = "scale_offset";

  private final NamedConfiguration configuration;

  private ScaleOffsetCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static ScaleOffsetCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("offset", "scale");
    return new ScaleOffsetCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  private ScaleOffset arithmetic(DataType type) {
    return ScaleOffset.of(configuration, type);
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    DataType type = decoded.dataType();
    ScaleOffset arithmetic = arithmetic(type);
    Scalar scalar = arithmetic.scalar();
    try {
      return new ChunkRepresentation(
          decoded.shape(),
          type,
          Elementwise.map(decoded.fillValue(), scalar, type, scalar, arithmetic::encode));
    } catch (CodecException e) {
      throw configuration.error("the fill value: " + e.statement());
    }
  }

  @Override
  public NdArray encode(NdArray decoded) {
    ScaleOffset arithmetic = arithmetic(decoded.dataType());
    Scalar scalar = arithmetic.scalar();
    return Elementwise.map(decoded, scalar, scalar.type(), scalar, arithmetic::encode);
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    ScaleOffset arithmetic = arithmetic(decoded.dataType());
    Scalar scalar = arithmetic.scalar();
    return Elementwise.map(encoded, scalar, scalar.type(), scalar, arithmetic::decode);
  }
}
