package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Lz4Library;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Exception;

/**
 * The codec numcodecs.lz4: the decoded size as a little-endian 32-bit integer, then one LZ4 block
 * without a frame.
 */
final class Lz4Codec implements BytesToBytesCodec {
  private static final int HEADER_SIZE = Integer.BYTES;

  /** The most bytes that a block makes of one byte. */
  private static final long MOST_EXPANSION = 255;

  private final NamedConfiguration configuration;
  private final int acceleration;

  private Lz4Codec(NamedConfiguration configuration, int acceleration) {
    this.configuration = configuration;
    this.acceleration = acceleration;
  }

  /**
   * Creates the codec. It reads blocks of every {@code acceleration}, and writes those of 1, which
   * any smaller number means too.
   */
  static Lz4Codec of(NamedConfiguration use) {
    use.configuration().allowOnly("acceleration");
    return new Lz4Codec(
        use, OptionalMembers.integer(use, "acceleration", Integer.MIN_VALUE, Integer.MAX_VALUE, 1));
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded.compressed();
  }

  @Override
  public Bytes encode(Bytes decoded) {
    if (acceleration > 1) {
      throw new UnsupportedFeatureException(
          "the LZ4 library for the JVM does not compress with an acceleration of "
              + acceleration
              + ", only with 1; chunks with another one can be read",
          Location.UNKNOWN);
    }
    int size = decoded.size();
    if (size > Bytes.MAX_SIZE / 256 * 255) {
      throw new CodecException(
          size + " bytes are more than one block holds; smaller chunks would fit",
          Location.UNKNOWN);
    }
    byte[] encoded = new byte[HEADER_SIZE + Lz4Library.FAST.maxCompressedLength(size)];
    for (int i = 0; i < HEADER_SIZE; i++) {
      encoded[i] = (byte) (size >>> (Byte.SIZE * i));
    }
    int length =
        Lz4Library.FAST.compress(
            decoded.unsafeArray(),
            decoded.unsafeOffset(),
            size,
            encoded,
            HEADER_SIZE,
            encoded.length - HEADER_SIZE);
    return Bytes.wrap(Arrays.copyOf(encoded, HEADER_SIZE + length));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    int length = encoded.size() - HEADER_SIZE;
    if (length <= 0) {
      throw new CodecException(
          "expected 4 bytes of the size and a block, found " + encoded.size() + " bytes",
          Location.UNKNOWN);
    }
    long size = encoded.getInt(0) & 0xffff_ffffL;
    target.check(size);
    if (size > MOST_EXPANSION * length) {
      throw new CodecException(
          "a block of " + length + " bytes cannot decode to " + size + " bytes", Location.UNKNOWN);
    }
    DecodeTarget.Region region = target.allocate(size);
    int from = encoded.unsafeOffset() + HEADER_SIZE;
    try {
      int decoded =
          Lz4Library.DECOMPRESSOR.decompress(
              encoded.unsafeArray(), from, length, region.array(), region.offset(), (int) size);
      if (decoded != size) {
        throw new CodecException(
            "the block decodes to " + decoded + " bytes, its header says " + size,
            Location.UNKNOWN);
      }
    } catch (LZ4Exception e) {
      throw new CodecException("the block is damaged: " + e.getMessage(), Location.UNKNOWN, e);
    }
    return region.toBytes();
  }
}
