package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/**
 * Creates the codecs of zfp: as Zarr v3 has registered it, also under its names of older versions
 * of zarrs, and as numcodecs has it. Public for {@link java.util.ServiceLoader} only.
 */
public final class ZfpProvider implements CodecProvider {
  private static final String OF_NUMCODECS = "numcodecs.zfpy";

  @Override
  public Set<String> names() {
    return Set.of("zfp", "zarrs.zfp", "https://codec.zarrs.dev/array_to_bytes/zfp", OF_NUMCODECS);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return configuration.name().equals(OF_NUMCODECS)
        ? ZfpCodec.ofNumcodecs(configuration)
        : ZfpCodec.of(configuration);
  }
}
