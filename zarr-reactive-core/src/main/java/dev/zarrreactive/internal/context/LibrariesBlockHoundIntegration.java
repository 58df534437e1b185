package dev.zarrreactive.internal.context;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound permit the loading of the native libraries of codecs, and of providers. A library
 * unpacks and links itself once, on the codec thread that needs it first. BlockHound finds this
 * class by {@link java.util.ServiceLoader}; other programs never load it.
 */
public final class LibrariesBlockHoundIntegration implements BlockHoundIntegration {
  /** Creates the integration; called by {@link java.util.ServiceLoader}. */
  public LibrariesBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder
        .allowBlockingCallsInside("dev.zarrreactive.chunkkey.SeparatedKeys", "load")
        .allowBlockingCallsInside("dev.zarrreactive.internal.codec.compression.FastInflate", "load")
        .allowBlockingCallsInside("com.github.luben.zstd.util.Native", "load")
        .allowBlockingCallsInside("net.jpountz.util.Native", "load")
        .allowBlockingCallsInside("org.xerial.snappy.SnappyLoader", "loadSnappyApi");
  }
}
