package dev.zarrreactive.http;

import dev.zarrreactive.internal.threads.Daemons;
import reactor.core.scheduler.Scheduler;

/**
 * Where clients are set up: the certificates of the system and the list of name servers are files,
 * which would block whoever asks first. Two daemons, gone when idle for ten seconds.
 */
final class HttpThreads {
  private static final int THREADS = 2;
  private static final int IDLE_SECONDS = 10;

  private HttpThreads() {}

  static Scheduler mayBlock() {
    return Holder.SCHEDULER;
  }

  /** Made when the first store needs it. */
  private static final class Holder {
    static final Scheduler SCHEDULER = Daemons.mayBlock(THREADS, "zarr-http-setup", IDLE_SECONDS);
  }
}
