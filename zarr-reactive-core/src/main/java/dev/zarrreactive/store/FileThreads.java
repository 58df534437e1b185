package dev.zarrreactive.store;

import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.threads.Daemons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs the blocking calls to the file system on threads that do nothing else: daemons, as many as
 * there are cores but at least four, shared by all file-system stores of the process, gone when
 * idle for a minute. What waits for a thread is dropped by a cancel; what is running is
 * interrupted.
 */
final class FileThreads {
  private static final int IDLE_SECONDS = 60;

  private FileThreads() {}

  /** A call to the file system; null is an empty result. */
  interface Call<T> {
    @Nullable T run() throws IOException;
  }

  /** Elements that are fetched one by one, by one thread at a time; null is the end. */
  interface Pull<T> extends Closeable {
    @Nullable T next() throws IOException;
  }

  /** Makes the call once per subscription; its result is emitted on the thread that made it. */
  static <T> Mono<T> call(Call<T> call, Function<IOException, StoreException> error) {
    return Mono.<T>fromCallable(() -> run(call, error)).subscribeOn(Holder.SCHEDULER);
  }

  /**
   * Fetches elements as they are demanded, each on one thread, one after another. What was opened
   * is closed at the end, after an error and after a cancel, there by a file thread too.
   */
  static <T> Flux<T> pull(Callable<Pull<T>> open, Function<IOException, StoreException> error) {
    return Flux.<T, Pull<T>>generate(
            open,
            (pull, sink) -> {
              T next = run(pull::next, error);
              if (next == null) {
                sink.complete();
              } else {
                sink.next(next);
              }
              return pull;
            },
            FileThreads::closeLater)
        .subscribeOn(Holder.SCHEDULER, true);
  }

  private static <T> @Nullable T run(Call<T> call, Function<IOException, StoreException> error) {
    try {
      return call.run();
    } catch (ClosedByInterruptException e) {
      return null; // only a cancel interrupts these threads, and then nobody listens
    } catch (IOException e) {
      throw error.apply(e);
    }
  }

  private static void closeLater(Pull<?> pull) {
    Holder.SCHEDULER.schedule(
        () -> {
          try {
            pull.close();
          } catch (IOException e) {
            // reading is over; there is nothing left that could be lost
          }
        });
  }

  /** Made when the first store needs it. */
  private static final class Holder {
    static final Scheduler SCHEDULER =
        Daemons.mayBlock(
            Math.max(4, Runtime.getRuntime().availableProcessors()), "zarr-file", IDLE_SECONDS);
  }
}
