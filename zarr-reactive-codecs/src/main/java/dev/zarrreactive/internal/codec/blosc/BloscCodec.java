package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;

/**
 * The {@code blosc} codec: encodes by its configuration, and decodes by the header of each frame.
 */
final class BloscCodec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final BloscConfiguration blosc;

  BloscCodec(NamedConfiguration configuration, BloscConfiguration blosc) {
    this.configuration = configuration;
    this.blosc = blosc;
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
    return FrameEncoder.encode(decoded, blosc);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return FrameDecoder.decode(encoded, target);
  }
}
