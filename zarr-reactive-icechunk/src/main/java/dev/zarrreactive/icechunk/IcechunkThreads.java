package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.internal.threads.Environment;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Threads that decode files, so that no thread that delivers bytes is held up: daemons, one for
 * each core, shared by all repositories of the process, gone when idle for a minute.
 */
final class IcechunkThreads {
  private static final int IDLE_SECONDS = 60;
  private static final String NAME = "zarr-icechunk";

  private IcechunkThreads() {}

  /** The threads. They may block: the first use of zstd loads a library. */
  static Scheduler decoding() {
    return Environment.current().blockingThreads(() -> Decoding.SCHEDULER);
  }

  /**
   * Emits on a thread that decodes: on the same one, if it is one. A change of threads costs as
   * much as a small file where the machine has other work.
   */
  static <T> Mono<T> decoded(Mono<T> source) {
    return source.flatMap(
        value ->
            Thread.currentThread().getName().startsWith(NAME + "-")
                ? Mono.just(value)
                : Mono.just(value).publishOn(decoding()));
  }

  private static final class Decoding {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(Runtime.getRuntime().availableProcessors(), NAME, IDLE_SECONDS);
  }
}
