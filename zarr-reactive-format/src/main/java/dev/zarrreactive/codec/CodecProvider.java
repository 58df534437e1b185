package dev.zarrreactive.codec;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.spi.Spi;
import java.util.Set;

/**
 * Creates codecs by name. {@link java.util.ServiceLoader} finds it, or the application passes it to
 * a {@link CodecRegistry}.
 */
@Spi
public interface CodecProvider {
  /** The names of this provider's codecs. */
  Set<String> names();

  /**
   * Creates a codec from its metadata. Checks the whole configuration here, so that a wrong one
   * fails when the array is opened.
   *
   * @param configuration the use of the codec; its name is one of {@link #names()}
   * @param registry the registry in use, for codecs that contain chains of codecs
   * @throws dev.zarrreactive.error.MetadataException if the configuration is wrong
   */
  Codec create(NamedConfiguration configuration, CodecRegistry registry);
}
