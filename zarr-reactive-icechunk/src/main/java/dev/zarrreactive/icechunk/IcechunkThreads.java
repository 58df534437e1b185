package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.Environment;
import reactor.core.scheduler.Scheduler;

/**
 * Threads that decode files, so that no thread that delivers bytes is held up: daemons, one for
 * each core, shared by all repositories of the process, gone when idle for a minute.
 */
final class IcechunkThreads {
  private static final int IDLE_SECONDS = 60;

  private IcechunkThreads() {}

  /** The threads. They may block: the first use of zstd loads a library. */
  static Scheduler decoding() {
    return Environment.current().blockingThreads(() -> Decoding.SCHEDULER);
  }

  private static final class Decoding {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(Runtime.getRuntime().availableProcessors(), "zarr-icechunk", IDLE_SECONDS);
  }
}
