package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.compression.Lz4Library;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import net.jpountz.lz4.LZ4Exception;

/**
 * The codec {@code imagecodecs_lz4}: one block of LZ4 and nothing else; with {@code header}, that
 * of numcodecs.
 */
final class Lz4BlockCodec implements BytesToBytesCodec {
  /** The most bytes that a block makes of one byte. */
  private static final long MOST_EXPANSION = 255;

  private final NamedConfiguration configuration;

  private Lz4BlockCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static Codec of(NamedConfiguration use) {
    use.configuration().allowOnly("level", "hc", "header");
    LocatedJson header = use.configuration().nonNull("header");
    if (header != null && header.bool()) {
      return WrappedCodec.of(use, WrappedCodec.numcodecs(use, "lz4", JsonObject.EMPTY));
    }
    return new Lz4BlockCodec(use);
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
    return compress(decoded, 0, decoded.size());
  }

  /** Compresses a part of bytes to one block. */
  static Bytes compress(Bytes decoded, int from, int size) {
    if (size > Bytes.MAX_SIZE / 256 * 255) {
      throw new CodecException(
          size + " bytes are more than one block holds; smaller chunks would fit",
          Location.UNKNOWN);
    }
    byte[] encoded = new byte[Lz4Library.FAST.maxCompressedLength(size)];
    int length =
        Lz4Library.FAST.compress(
            decoded.unsafeArray(), decoded.unsafeOffset() + from, size, encoded, 0, encoded.length);
    return Bytes.wrap(Arrays.copyOf(encoded, length));
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    long most = MOST_EXPANSION * encoded.size();
    SizeBound bound = target.size();
    if (bound.exact() && bound.bytes() > most) {
      throw new CodecException(
          "a block of " + encoded.size() + " bytes cannot decode to the expected " + bound,
          Location.UNKNOWN);
    }
    int room = (int) Math.min(Math.min(bound.bytes(), most), Bytes.MAX_SIZE);
    byte[] decoded = new byte[room];
    int length = decompress(encoded, 0, encoded.size(), decoded, 0, room);
    DecodeTarget.Region region = target.allocate(length);
    System.arraycopy(decoded, 0, region.array(), region.offset(), length);
    return region.toBytes();
  }

  /** Decompresses one block to at most {@code room} bytes, and returns their number. */
  static int decompress(Bytes encoded, int from, int size, byte[] to, int offset, int room) {
    try {
      return Lz4Library.DECOMPRESSOR.decompress(
          encoded.unsafeArray(), encoded.unsafeOffset() + from, size, to, offset, room);
    } catch (LZ4Exception e) {
      throw new CodecException(
          "the block is damaged, or decodes to more than " + room + " bytes: " + e.getMessage(),
          Location.UNKNOWN,
          e);
    }
  }
}
