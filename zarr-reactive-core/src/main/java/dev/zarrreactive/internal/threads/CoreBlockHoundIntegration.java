package dev.zarrreactive.internal.threads;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound permit the loading of native libraries, and the lock of the queue of file calls.
 * A library unpacks and links itself once, on the codec thread that needs it first; the lock is
 * held for a few instructions, as that of each scheduler. BlockHound finds this class by {@link
 * java.util.ServiceLoader}; other programs never load it.
 */
public final class CoreBlockHoundIntegration implements BlockHoundIntegration {
  /** Creates the integration; called by {@link java.util.ServiceLoader}. */
  public CoreBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder
        .allowBlockingCallsInside("dev.zarrreactive.internal.threads.Daemons$SharedPool", "execute")
        .allowBlockingCallsInside("dev.zarrreactive.internal.codec.compression.FastInflate", "load")
        .allowBlockingCallsInside("com.github.luben.zstd.util.Native", "load")
        .allowBlockingCallsInside("net.jpountz.util.Native", "load")
        .allowBlockingCallsInside("org.xerial.snappy.SnappyLoader", "loadSnappyApi");
  }
}
