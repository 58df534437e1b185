package dev.zarrreactive.internal.keys;

import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.chunkkey.ChunkKeyEncodingProvider;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/** Creates the chunk key encodings of zarr-extensions. */
public final class ExtensionKeysProvider implements ChunkKeyEncodingProvider {
  @Override
  public Set<String> names() {
    return Set.of(SuffixKeys.NAME, FanoutKeys.NAME, TemplateKeys.NAME);
  }

  @Override
  public ChunkKeyEncoding create(NamedConfiguration use) {
    return switch (use.name()) {
      case SuffixKeys.NAME -> SuffixKeys.of(use);
      case FanoutKeys.NAME -> FanoutKeys.of(use);
      default -> TemplateKeys.of(use);
    };
  }
}
