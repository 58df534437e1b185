package dev.zarrreactive.internal.codec.blosc;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the {@code blosc} codec. Public for {@link java.util.ServiceLoader} only. */
public final class BloscProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of("blosc");
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return new BloscCodec(configuration, BloscConfiguration.parse(configuration));
  }
}
