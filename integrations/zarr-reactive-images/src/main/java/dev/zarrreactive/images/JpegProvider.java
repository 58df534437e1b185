package dev.zarrreactive.images;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codecs of JPEG. Public for {@link java.util.ServiceLoader} only. */
public final class JpegProvider implements CodecProvider {
  /** Creates a provider. */
  public JpegProvider() {}

  @Override
  public Set<String> names() {
    return Set.of(JpegCodec.NAME, JpegFilter.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return configuration.name().equals(JpegCodec.NAME)
        ? JpegCodec.of(configuration)
        : JpegFilter.of(configuration);
  }
}
