package dev.zarrreactive.internal.codec.vlen;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codecs of this package. */
public final class VlenProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(VlenStrings.UTF8, VlenStrings.BYTES, VlenLists.NAME, VlenLists.ARRAYS);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return switch (configuration.name()) {
      case VlenStrings.UTF8 -> VlenStrings.utf8(configuration);
      case VlenStrings.BYTES -> VlenStrings.bytes(configuration);
      case VlenLists.NAME -> VlenLists.of(configuration);
      case VlenLists.ARRAYS -> VlenLists.arrays(configuration);
      default -> throw new IllegalArgumentException("not a vlen codec: " + configuration.name());
    };
  }
}
