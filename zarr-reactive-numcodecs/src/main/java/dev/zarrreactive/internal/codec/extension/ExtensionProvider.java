package dev.zarrreactive.internal.codec.extension;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates codecs of zarr-extensions that few arrays have. */
public final class ExtensionProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(ConditionalCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return ConditionalCodec.of(configuration, registry);
  }
}
