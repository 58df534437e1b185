package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codec that reads indexes of shards of the 2023 draft. */
public final class DraftCodecProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(IndexChecksumCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return IndexChecksumCodec.of(configuration, registry);
  }
}
