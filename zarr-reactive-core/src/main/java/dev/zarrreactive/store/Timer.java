package dev.zarrreactive.store;

import dev.zarrreactive.internal.threads.Daemons;
import reactor.core.scheduler.Scheduler;

/** Wakes up requests that wait. One daemon, which never works long. */
final class Timer {
  private Timer() {}

  static Scheduler shared() {
    return Holder.SCHEDULER;
  }

  /** Made when the first store needs it. */
  private static final class Holder {
    static final Scheduler SCHEDULER = Daemons.timer("zarr-timer");
  }
}
