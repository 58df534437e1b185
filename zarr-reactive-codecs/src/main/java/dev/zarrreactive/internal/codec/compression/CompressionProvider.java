package dev.zarrreactive.internal.codec.compression;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codecs {@code gzip} and {@code zstd}. */
public final class CompressionProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(GzipCodec.NAME, ZstdCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return switch (configuration.name()) {
      case GzipCodec.NAME -> GzipCodec.of(configuration);
      case ZstdCodec.NAME -> ZstdCodec.of(configuration);
      default ->
          throw new IllegalArgumentException(
              "not a codec that compresses: " + configuration.name());
    };
  }
}
