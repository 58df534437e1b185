package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.store.Bytes;

/** A codec under another name and with another form of its configuration. */
final class RenamedCodec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final BytesToBytesCodec codec;

  RenamedCodec(NamedConfiguration configuration, BytesToBytesCodec codec) {
    this.configuration = configuration;
    this.codec = codec;
  }

  @Override
  public NamedConfiguration configuration() {
    return configuration;
  }

  @Override
  public SizeBound encodedSize(SizeBound decoded) {
    return codec.encodedSize(decoded);
  }

  @Override
  public Bytes encode(Bytes decoded) {
    return codec.encode(decoded);
  }

  @Override
  public Bytes decode(Bytes encoded, DecodeTarget target) {
    return codec.decode(encoded, target);
  }
}
