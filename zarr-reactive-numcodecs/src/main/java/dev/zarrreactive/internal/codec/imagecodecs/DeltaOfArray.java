package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.element.Scalar;

/**
 * The codec {@code imagecodecs_delta} of Zarr v3: the horizontal predictor of TIFF. Integers wrap
 * around; floats are taken for the integers of their bits.
 */
final class DeltaOfArray implements ArrayToArrayCodec {
  private final NamedConfiguration configuration;
  private final Predictor predictor;

  private DeltaOfArray(NamedConfiguration configuration, Predictor predictor) {
    this.configuration = configuration;
    this.predictor = predictor;
  }

  static DeltaOfArray of(NamedConfiguration use) {
    use.configuration().allowOnly("axis", "dist");
    return new DeltaOfArray(use, Predictor.of(use));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    Scalar scalar = Scalar.of(decoded.dataType());
    if (scalar == null || scalar == Scalar.BOOL || scalar.bits() < Byte.SIZE) {
      throw configuration.error(
          "it predicts integers and floats, but the chunk is " + decoded.dataType());
    }
    predictor.axis(decoded.shape().rank(), configuration);
    return decoded;
  }

  @Override
  public NdArray encode(NdArray decoded) {
    byte[] encoded = decoded.bytes().toByteArray();
    if (encoded.length > 0) {
      predictor
          .rows(decoded.shape().toArray(), configuration)
          .delta(encoded, 0, encoded.length, decoded.dataType().itemSize(), false);
    }
    return NdArray.wrap(decoded.dataType(), decoded.shape(), Bytes.wrap(encoded));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation representation) {
    byte[] decoded = encoded.bytes().toByteArray();
    if (decoded.length > 0) {
      predictor
          .rows(representation.shape().toArray(), configuration)
          .undoDelta(decoded, 0, decoded.length, representation.dataType().itemSize(), false);
    }
    return NdArray.wrap(representation.dataType(), representation.shape(), Bytes.wrap(decoded));
  }
}
