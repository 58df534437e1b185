package dev.zarrreactive.internal.codec.elementwise;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codecs {@code bitround}, {@code cast_value} and {@code scale_offset}. */
public final class ElementwiseProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(
        BitroundCodec.NAME, BitroundCodec.OTHER_NAME, CastValueCodec.NAME, ScaleOffsetCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return switch (configuration.name()) {
      case BitroundCodec.NAME, BitroundCodec.OTHER_NAME -> BitroundCodec.of(configuration);
      case CastValueCodec.NAME -> CastValueCodec.of(configuration);
      case ScaleOffsetCodec.NAME -> ScaleOffsetCodec.of(configuration);
      default ->
          throw new IllegalArgumentException("not an elementwise codec: " + configuration.name());
    };
  }
}
