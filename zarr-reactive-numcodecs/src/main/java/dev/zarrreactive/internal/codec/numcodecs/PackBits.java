package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.math.BigInteger;

/**
 * The codec numcodecs.packbits: eight elements of {@code bool} in a byte of one dimension, the
 * first in the highest bit. A byte before them holds the number of unused bits at their end.
 */
final class PackBits implements ArrayToArrayCodec {
  private static final int HIGHEST = 0x80;

  private final NamedConfiguration configuration;

  private PackBits(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static PackBits of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new PackBits(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public ChunkRepresentation encodedRepresentation(ChunkRepresentation decoded) {
    if (!decoded.dataType().equals(DataTypes.BOOL)) {
      throw configuration.error("it packs bool, but the chunk is " + decoded.dataType());
    }
    BigInteger bytes = decoded.shape().elementCount().add(BigInteger.valueOf(7)).shiftRight(3);
    return new ChunkRepresentation(
        Shape.of(bytes.longValue() + 1), DataTypes.UINT8, FillValue.zero(DataTypes.UINT8));
  }

  private static int padding(int count) {
    return -count & 7;
  }

  @Override
  public NdArray encode(NdArray decoded) {
    Bytes image = decoded.bytes();
    int count = image.size();
    byte[] packed = new byte[1 + (int) ((count + 7L) / 8)];
    packed[0] = (byte) padding(count);
    for (int i = 0; i < count; i++) {
      if (image.get(i) != 0) {
        packed[1 + i / 8] |= (byte) (HIGHEST >>> (i % 8));
      }
    }
    return NdArray.wrap(DataTypes.UINT8, Shape.of(packed.length), Bytes.wrap(packed));
  }

  @Override
  public NdArray decode(NdArray encoded, ChunkRepresentation decoded) {
    Bytes packed = encoded.bytes();
    byte[] image = new byte[decoded.shape().byteSize(1)];
    int padding = packed.get(0) & 0xff;
    if (padding != padding(image.length)) {
      throw new CodecException(
          "expected "
              + padding(image.length)
              + " unused bits for "
              + image.length
              + " elements, found "
              + padding,
          Location.UNKNOWN);
    }
    for (int i = 0; i < image.length; i++) {
      image[i] = (byte) (packed.get(1 + i / 8) >>> (7 - i % 8) & 1);
    }
    return NdArray.wrap(DataTypes.BOOL, decoded.shape(), Bytes.wrap(image));
  }
}
