package dev.zarrreactive.internal.flow;

import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.Environment;
import reactor.core.scheduler.Scheduler;

/**
 * The threads that encode and decode: daemons, one for each core, shared by all arrays of the
 * process. They are separate from Reactor's schedulers, where a long decode would delay the timers
 * of the application.
 */
public final class CodecScheduler {
  private CodecScheduler() {}

  /** Returns the scheduler, whose threads start on first use. */
  public static Scheduler shared() {
    return Environment.current().codecScheduler();
  }

  static Scheduler create(int threads) {
    return Daemons.codecs(threads);
  }
}
