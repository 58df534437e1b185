package dev.zarrreactive.internal.pipeline;

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
    static final Scheduler SCHEDULER =
        Schedulers.newParallel("zarr-codec", Runtime.getRuntime().availableProcessors(), true);
  }
}
