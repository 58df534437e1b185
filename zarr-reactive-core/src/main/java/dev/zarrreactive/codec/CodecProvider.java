package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;
import java.util.Set;

/**
 * Makes codecs by name. Found by {@link java.util.ServiceLoader}, or given to a {@link
 * CodecRegistry} by hand.
 */
public interface CodecProvider {
  /** The codec names that this provider knows. */
  Set<String> names();

  /**
   * Makes a codec from its metadata. Nothing else may be read later: a configuration that is wrong
   * is refused here.
   *
   * @param configuration the use of the codec; its name is one of {@link #names()}
   * @param registry the registry in use, for codecs that hold chains of codecs
   * @throws dev.zarrreactive.error.MetadataException where the configuration is not the codec's
   */
  Codec create(NamedConfiguration configuration, CodecRegistry registry);
}
