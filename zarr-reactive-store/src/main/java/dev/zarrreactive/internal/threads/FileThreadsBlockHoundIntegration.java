package dev.zarrreactive.internal.threads;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets BlockHound permit the lock of the queue of file calls, which is held for a few instructions,
 * as that of each scheduler. BlockHound finds this class by {@link java.util.ServiceLoader}; other
 * programs never load it.
 */
public final class FileThreadsBlockHoundIntegration implements BlockHoundIntegration {
  /** Creates the integration; called by {@link java.util.ServiceLoader}. */
  public FileThreadsBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside(
        "dev.zarrreactive.internal.threads.FileThreads$SharedPool", "execute");
  }
}
