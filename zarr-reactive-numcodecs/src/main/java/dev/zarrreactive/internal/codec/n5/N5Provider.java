package dev.zarrreactive.internal.codec.n5;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codec {@code n5_default}. */
public final class N5Provider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(N5Codec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return N5Codec.of(configuration, registry);
  }
}
