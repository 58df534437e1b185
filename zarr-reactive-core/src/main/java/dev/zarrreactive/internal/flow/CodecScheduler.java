package dev.zarrreactive.internal.flow;

import dev.zarrreactive.internal.threads.Daemons;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;

/**
 * The threads that encode and decode: daemons, one for each core, shared by all arrays of the
 * process. Not Reactor's own, where a long decode would delay everybody's timers.
 */
public final class CodecScheduler {
  private CodecScheduler() {}

  /** The scheduler; its threads start when first needed. */
  public static Scheduler shared() {
    return Holder.SCHEDULER;
  }

  private static final class Holder {
    static final Scheduler SCHEDULER = create(Runtime.getRuntime().availableProcessors());
  }

  static Scheduler create(int threads) {
    AtomicInteger made = new AtomicInteger();
    return Daemons.parallel(threads, work -> new CodecThread(work, made.incrementAndGet()));
  }

  /** What blocks such a thread delays every array: Reactor and BlockHound refuse it. */
  private static final class CodecThread extends Thread implements NonBlocking {
    CodecThread(Runnable work, int number) {
      super(work, "zarr-codec-" + number);
      setDaemon(true);
    }
  }
}
