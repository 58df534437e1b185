package dev.zarrreactive.internal.http;

import dev.zarrreactive.internal.threads.Daemons;
import reactor.core.scheduler.Scheduler;

/**
 * The threads that set up clients, which reads files: the certificates of the system and the list
 * of name servers. Two daemons, which end when they have been idle for ten seconds.
 */
final class HttpThreads {
  private static final int THREADS = 2;
  private static final int IDLE_SECONDS = 10;

  private HttpThreads() {}

  static Scheduler mayBlock() {
    return Holder.SCHEDULER;
  }

  /** Initialized by the first store that needs it. */
  private static final class Holder {
    static final Scheduler SCHEDULER = Daemons.mayBlock(THREADS, "zarr-http-setup", IDLE_SECONDS);
  }
}
