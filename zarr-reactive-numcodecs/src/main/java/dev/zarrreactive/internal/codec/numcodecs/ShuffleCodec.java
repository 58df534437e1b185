package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.shuffle.ByteShuffle;

/**
 * The codec numcodecs.shuffle: the first byte of each element, then the second of each, and so on.
 */
final class ShuffleCodec implements BytesToBytesCodec {
  private static final int DEFAULT_SIZE = 4;

  private final NamedConfiguration configuration;
  private final int elementSize;

  private ShuffleCodec(NamedConfiguration configuration, int elementSize) {
    this.configuration = configuration;
    this.elementSize = elementSize;
  }

  static ShuffleCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("elementsize");
    boolean missing = use.optional("elementsize") == null;
    return new ShuffleCodec(
        use, missing ? DEFAULT_SIZE : use.member("elementsize").integer(1, Integer.MAX_VALUE));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded;
  }

  private void checkWhole(int size) {
    if (size % elementSize != 0) {
      throw new CodecException(
          size + " bytes are not a whole number of elements of " + elementSize + " bytes",
          Location.UNKNOWN);
    }
  }

  @Override
  public Bytes encode(Bytes decoded) {
    int size = decoded.size();
    checkWhole(size);
    if (elementSize == 1 || size == 0) {
      return decoded;
    }
    byte[] encoded = new byte[size];
    ByteShuffle.shuffle(
        elementSize, decoded.unsafeArray(), decoded.unsafeOffset(), encoded, 0, size);
    return Bytes.wrap(encoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int size = encoded.size();
    checkWhole(size);
    if (elementSize == 1 || size == 0) {
      target.check(size);
      return encoded;
    }
    DecodeTarget.Region region = target.allocate(size);
    ByteShuffle.unshuffle(
        elementSize,
        encoded.unsafeArray(),
        encoded.unsafeOffset(),
        region.array(),
        region.offset(),
        size);
    return region.toBytes();
  }
}
