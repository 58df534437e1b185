package dev.zarrreactive.chunkkey;

import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.spi.Spi;
import java.util.Set;

/**
 * Creates chunk key encodings by name. {@link java.util.ServiceLoader} finds it once, with the
 * class loader of this library.
 */
@Spi
public interface ChunkKeyEncodingProvider {
  /** The names of the encodings that it creates. */
  Set<String> names();

  /**
   * Creates an encoding.
   *
   * @param use the use of one of {@link #names()} in metadata
   * @throws dev.zarrreactive.error.MetadataException if its configuration is wrong
   */
  ChunkKeyEncoding create(NamedConfiguration use);
}
