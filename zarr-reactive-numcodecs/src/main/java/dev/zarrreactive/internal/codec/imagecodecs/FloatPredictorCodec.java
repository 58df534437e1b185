package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** The codec {@code imagecodecs_floatpred} of Zarr v3: the floating-point predictor of TIFF. */
final class FloatPredictorCodec implements ArrayToBytesCodec {
  private static final Set<DataType> TYPES =
      Set.of(DataTypes.FLOAT16, DataTypes.FLOAT32, DataTypes.FLOAT64);

  private final NamedConfiguration configuration;
  private final Predictor predictor;

  private FloatPredictorCodec(NamedConfiguration configuration, Predictor predictor) {
    this.configuration = configuration;
    this.predictor = predictor;
  }

  static FloatPredictorCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("axis", "dist");
    return new FloatPredictorCodec(use, Predictor.of(use));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(ChunkRepresentation decoded) {
    if (!TYPES.contains(decoded.dataType())) {
      throw configuration.error(
          "it predicts float16, float32 and float64, but the chunk is " + decoded.dataType());
    }
    predictor.requireNearTheEnd(decoded.shape().rank(), configuration);
    return SizeBound.exactly(decoded.byteSize());
  }

  @Override
  public Bytes encode(NdArray decoded, ChunkRepresentation representation) {
    Bytes image = decoded.bytes();
    byte[] encoded = new byte[image.size()];
    if (encoded.length > 0) {
      predictor
          .rows(decoded.shape().toArray(), configuration)
          .floats(
              image.unsafeArray(),
              image.unsafeOffset(),
              encoded,
              0,
              encoded.length,
              decoded.dataType().itemSize(),
              false);
    }
    return Bytes.wrap(encoded);
  }

  @Override
  public NdArray decode(Bytes encoded, ChunkRepresentation decoded) {
    int size = decoded.shape().byteSize(decoded.dataType().itemSize());
    if (encoded.size() != size) {
      throw new CodecException(
          "expected " + size + " bytes, found " + encoded.size(), Location.UNKNOWN);
    }
    byte[] image = new byte[size];
    if (size > 0) {
      predictor
          .rows(decoded.shape().toArray(), configuration)
          .undoFloats(
              encoded.unsafeArray(),
              encoded.unsafeOffset(),
              image,
              0,
              size,
              decoded.dataType().itemSize(),
              false);
    }
    return NdArray.wrap(decoded.dataType(), decoded.shape(), Bytes.wrap(image));
  }
}
