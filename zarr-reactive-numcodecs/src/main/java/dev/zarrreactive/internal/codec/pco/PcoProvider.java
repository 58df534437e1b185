package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/**
 * Creates the codec pcodec, under its name in numcodecs and those of zarrs. Public for {@link
 * java.util.ServiceLoader} only.
 */
public final class PcoProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(
        "numcodecs.pcodec",
        "pcodec",
        "zarrs.pcodec",
        "https://codec.zarrs.dev/array_to_bytes/pcodec");
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return PcoCodec.of(configuration);
  }
}
