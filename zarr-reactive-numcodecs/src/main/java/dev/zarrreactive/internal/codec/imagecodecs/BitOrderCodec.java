package dev.zarrreactive.internal.codec.imagecodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;

/** The codec {@code imagecodecs_bitorder}: the bits of each byte in the reverse order. */
final class BitOrderCodec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;

  private BitOrderCodec(NamedConfiguration configuration) {
    this.configuration = configuration;
  }

  static BitOrderCodec of(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new BitOrderCodec(use);
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return decoded;
  }

  @Override
  public Bytes encode(Bytes decoded) {
    byte[] encoded = new byte[decoded.size()];
    reverse(decoded, encoded, 0);
    return Bytes.wrap(encoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    DecodeTarget.Region region = target.allocate(encoded.size());
    reverse(encoded, region.array(), region.offset());
    return region.toBytes();
  }

  private static void reverse(Bytes from, byte[] to, int offset) {
    for (int i = 0; i < from.size(); i++) {
      to[offset + i] = (byte) (Integer.reverse(from.get(i)) >>> 24);
    }
  }
}
