package dev.zarrreactive.internal.codec.extension;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.HashSet;
import java.util.Set;

/** Creates codecs of zarr-extensions that few arrays have. */
public final class ExtensionProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    Set<String> names = new HashSet<>(OptionalCodec.NAMES);
    names.add(ConditionalCodec.NAME);
    return names;
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return configuration.name().equals(ConditionalCodec.NAME)
        ? ConditionalCodec.of(configuration, registry)
        : OptionalCodec.of(configuration, registry);
  }
}
