package dev.zarrreactive.internal.codec.sharding;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the codec {@code sharding_indexed}. */
public final class ShardingProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(ShardingCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return ShardingCodec.of(configuration, registry);
  }
}
