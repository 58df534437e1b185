package dev.zarrreactive.store.zip;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.internal.threads.Daemons;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Threads for work that must not hold up a thread that delivers bytes or subscribes: daemons,
 * shared by all zip stores of the process, gone when idle for a minute. Inflating and checking has
 * as many as there are cores, calls to the file system have others, at least four.
 */
final class ZipThreads {
  private static final int IDLE_SECONDS = 60;

  private ZipThreads() {}

  /** A call to the file system; null is an empty result. */
  interface Call<T> {
    @Nullable T run() throws IOException;
  }

  /** For work that computes. */
  static Scheduler computing() {
    return Computing.SCHEDULER;
  }

  /**
   * Makes the call once per subscription; its result is emitted on the thread that made it. A
   * cancel drops a call that waits for a thread, but never interrupts one: the interrupt of a
   * thread that uses a file channel closes the channel for all calls.
   */
  static <T> Mono<T> call(Call<T> call) {
    return Mono.create(
        sink -> {
          AtomicBoolean isCancelled = new AtomicBoolean();
          sink.onCancel(() -> isCancelled.set(true));
          Files.SCHEDULER.schedule(
              () -> {
                if (isCancelled.get()) {
                  return;
                }
                try {
                  sink.success(call.run());
                } catch (OutOfMemoryError e) {
                  sink.error(
                      new MemoryExhaustedException(
                          "to use the file of a zip",
                          MemoryExhaustedException.UNKNOWN_SIZE,
                          Location.UNKNOWN,
                          e));
                } catch (Throwable e) {
                  sink.error(e);
                }
              });
        });
  }

  private static final class Computing {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(Runtime.getRuntime().availableProcessors(), "zarr-zip", IDLE_SECONDS);
  }

  private static final class Files {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(
            Math.max(4, Runtime.getRuntime().availableProcessors()), "zarr-zip-file", IDLE_SECONDS);
  }
}
