package dev.zarrreactive.benchmarks.latency;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The one thread of the simulated server, on which the clock runs and answers come. */
final class Server {
  static final Scheduler TIME = Schedulers.newSingle("server", true);
  static final int CONNECTIONS = 64;
  static final long BYTES_PER_SECOND = 25_000_000;

  private Server() {}
}
