package dev.zarrreactive.docs;

import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

// docs: codec-provider
public final class XorCodecProvider implements CodecProvider {
  @Override
  public Set<String> names() {
    return Set.of(XorCodec.NAME);
  }

  @Override
  public Codec create(NamedConfiguration configuration, CodecRegistry registry) {
    return XorCodec.of(configuration);
  }
}
// docs: end
