package dev.zarrreactive.kerchunk;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.internal.threads.Daemons;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;

/**
 * Threads for the work of reading references, which must not hold up a thread that delivers bytes:
 * daemons, one for each core, shared by all references of the process, gone when idle for a minute.
 */
final class KerchunkThreads {
  private static final int IDLE_SECONDS = 60;

  private KerchunkThreads() {}

  static Scheduler computing() {
    return Computing.SCHEDULER;
  }

  /** Does work that may need more memory than there is; then it alone fails. */
  static <T> T guard(Location place, Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "for references", MemoryExhaustedException.UNKNOWN_SIZE, place, e);
    }
  }

  private static final class Computing {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(Runtime.getRuntime().availableProcessors(), "zarr-kerchunk", IDLE_SECONDS);
  }
}
