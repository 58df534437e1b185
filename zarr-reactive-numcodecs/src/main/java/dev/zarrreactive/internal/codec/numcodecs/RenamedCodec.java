package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.blosc.BloscProvider;
import dev.zarrreactive.internal.codec.compression.CompressionProvider;
import dev.zarrreactive.internal.metadata.CoreNames;
import java.util.List;

/** A codec of {@link CoreNames} under its name and with its configuration of numcodecs. */
final class RenamedCodec implements BytesToBytesCodec {
  private final NamedConfiguration configuration;
  private final BytesToBytesCodec codec;

  private RenamedCodec(
      NamedConfiguration configuration, NamedConfiguration core, CodecProvider provider) {
    this.configuration = configuration;
    this.codec = (BytesToBytesCodec) provider.create(core, CodecRegistry.of(List.of(provider)));
  }

  static RenamedCodec gzip(NamedConfiguration use) {
    return new RenamedCodec(use, CoreNames.gzip(use), new CompressionProvider());
  }

  static RenamedCodec zstd(NamedConfiguration use) {
    return new RenamedCodec(use, CoreNames.zstd(use), new CompressionProvider());
  }

  static RenamedCodec blosc(NamedConfiguration use) {
    return new RenamedCodec(use, CoreNames.blosc(use), new BloscProvider());
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
