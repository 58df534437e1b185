package dev.zarrreactive.internal.codec.transpose;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codec {@code transpose}. */
public final class TransposeProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(TransposeCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return TransposeCodec.of(configuration);
  }
}
