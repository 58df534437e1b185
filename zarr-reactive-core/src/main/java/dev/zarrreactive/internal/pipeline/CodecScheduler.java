package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.Environment;
import reactor.core.scheduler.Scheduler;

/**
 * The threads that encode and decode: daemons, one for each core, shared by all arrays of the
 * process. Not Reactor's own, where a long decode would delay everybody's timers.
 */
public final class CodecScheduler {
  private CodecScheduler() {}

  /** The scheduler; its threads start when first needed. */
  public static Scheduler shared() {
    return Environment.current().codecScheduler();
  }

  static Scheduler create(int threads) {
    return Daemons.codecs(threads);
  }
}
