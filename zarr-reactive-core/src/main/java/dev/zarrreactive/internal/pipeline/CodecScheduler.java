package dev.zarrreactive.internal.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

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

  /** Not through {@code Schedulers}, whose factory a test with virtual time may have replaced. */
  static Scheduler create(int threads) {
    AtomicInteger made = new AtomicInteger();
    Scheduler scheduler =
        new Schedulers.Factory() {}.newParallel(
            threads, work -> new CodecThread(work, made.incrementAndGet()));
    scheduler.init();
    return scheduler;
  }

  /** What blocks such a thread delays every array: Reactor and BlockHound refuse it. */
  private static final class CodecThread extends Thread implements NonBlocking {
    CodecThread(Runnable work, int number) {
      super(work, "zarr-codec-" + number);
      setDaemon(true);
    }
  }
}
