package dev.zarrreactive.codec;

import dev.zarrreactive.spi.Spi;

/**
 * Makes inflaters that are faster than the JDK's, for gzip and zlib. {@link
 * java.util.ServiceLoader} finds it once: a module names its provider in {@code
 * META-INF/services/dev.zarrreactive.codec.InflaterProvider}. Without a provider the JDK inflates.
 */
@Spi
public interface InflaterProvider {
  /**
   * Returns true if the inflaters work on this machine. It is called once, before the first chunk
   * is decoded, and may load native libraries.
   */
  boolean isAvailable();

  /** Creates an inflater; called if they are available. */
  WholeBufferInflater create();
}
