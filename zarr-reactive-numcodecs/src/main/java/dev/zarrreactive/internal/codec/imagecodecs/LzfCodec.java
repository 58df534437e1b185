package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.LocatedJson;
import java.io.ByteArrayOutputStream;

/**
 * The codec {@code imagecodecs_lzf}: LZF, with the decoded size as a little-endian 32-bit integer
 * before it where {@code header} is true or missing.
 *
 * <p>Chunks of HDF5 have no header, and references of VirtualiZarr name the codec with one. So
 * where the size of the chunk is known and the first bytes say another, they are data. Encoding
 * writes bytes as they are.
 */
final class LzfCodec implements BytesToBytesCodec {
  private static final int HEADER_SIZE = Integer.BYTES;
  private static final int LITERALS = 32;
  private static final int LONG = 7;
  private static final long MOST_EXPANSION = 128;

  private final NamedConfiguration configuration;
  private final boolean hasHeader;

  private LzfCodec(NamedConfiguration configuration, boolean hasHeader) {
    this.configuration = configuration;
    this.hasHeader = hasHeader;
  }

  static LzfCodec of(NamedConfiguration use) {
    use.configuration().allowOnly("header");
    LocatedJson header = use.configuration().nonNull("header");
    return new LzfCodec(use, header == null || header.bool());
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
    int size = decoded.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream(size + size / LITERALS + 8);
    for (int i = 0; hasHeader && i < HEADER_SIZE; i++) {
      out.write(size >>> (Byte.SIZE * i));
    }
    for (int at = 0; at < size; at += LITERALS) {
      int length = Math.min(LITERALS, size - at);
      out.write(length - 1);
      out.write(decoded.unsafeArray(), decoded.unsafeOffset() + at, length);
    }
    return Bytes.wrap(out.toByteArray());
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    if (hasHeader && encoded.size() == 0) {
      throw Expansion.cutOff();
    } else if (!hasHeader) {
      return decode(encoded, 0, target);
    }
    SizeBound bound = target.size();
    long said = encoded.size() < HEADER_SIZE ? -1 : encoded.getInt(0) & 0xffff_ffffL;
    if (bound.exact() && said != bound.bytes()) {
      return decode(encoded, 0, target);
    }
    if (said < 0) {
      throw Expansion.cutOff();
    }
    Bytes decoded = decode(encoded, HEADER_SIZE, target);
    if (decoded.size() != said) {
      throw new CodecException(
          "decodes to " + decoded.size() + " bytes, its header says " + said, Location.UNKNOWN);
    }
    return decoded;
  }

  private static Bytes decode(Bytes encoded, int from, DecodeTarget target) {
    Expansion out = new Expansion(target, MOST_EXPANSION * encoded.size());
    byte[] array = encoded.unsafeArray();
    int at = encoded.unsafeOffset() + from;
    int end = encoded.unsafeOffset() + encoded.size();
    while (at < end) {
      int head = array[at++] & 0xff;
      if (head < LITERALS) {
        if (head + 1 > end - at) {
          throw Expansion.cutOff();
        }
        out.put(array, at, head + 1);
        at += head + 1;
        continue;
      }
      int length = head >>> 5;
      int more = length == LONG ? 2 : 1;
      if (more > end - at) {
        throw Expansion.cutOff();
      }
      length += more == 2 ? array[at++] & 0xff : 0;
      int distance = ((head & 0x1f) << Byte.SIZE | (array[at++] & 0xff)) + 1;
      out.copy(distance, length + 2);
    }
    return out.toBytes();
  }
}
