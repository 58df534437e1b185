package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.threads.Daemons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs the blocking calls to the file system on threads that do nothing else: daemons, as many as
 * there are cores but at least four, shared by all file-system stores of the process, gone when
 * idle for a minute. A cancel drops a call that waits for a thread and interrupts one that is
 * running. Any other interrupt is an error of the call, never a missing value.
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

  /** Makes errors of the library from those of the file system and the JVM. */
  interface Errors {
    StoreException of(IOException error);

    default ZarrException of(OutOfMemoryError error) {
      return new MemoryExhaustedException(
          "to use a file", MemoryExhaustedException.UNKNOWN_SIZE, Location.UNKNOWN, error);
    }
  }

  /** A change that may have to wait for other processes. One thread at a time uses it. */
  interface Task {
    /**
     * Makes the change.
     *
     * @return false where another process holds a lock; then nothing was changed
     */
    boolean attempt() throws IOException;

    /** Gives the change up, and removes what it left. Later calls, and attempts, do nothing. */
    void close();
  }

  /** Makes the call once per subscription; its result is emitted on the thread that made it. */
  static <T> Mono<T> call(Call<T> call, Errors error) {
    return Mono.defer(
        () -> {
          AtomicBoolean isCancelled = new AtomicBoolean();
          return Mono.<T>fromCallable(() -> run(call, error, isCancelled))
              .subscribeOn(Holder.SCHEDULER)
              .doOnCancel(() -> isCancelled.set(true)); // before the cancel interrupts the thread
        });
  }

  /**
   * Attempts a change until no other process holds a lock that it needs. No thread waits meanwhile.
   *
   * @param attempts how many attempts are made; the pauses between them grow to 50 ms
   * @param tooLong the error after the last one
   */
  static Mono<Void> attempt(
      Supplier<Task> change, int attempts, Errors error, Supplier<StoreException> tooLong) {
    return Mono.usingWhen(
        Mono.fromSupplier(change),
        task ->
            call(() -> task.attempt() ? task : null, error)
                .repeatWhenEmpty(
                    Integer.MAX_VALUE,
                    busy ->
                        busy.concatMap(
                            times -> times + 1 < attempts ? pause(times) : Mono.error(tooLong), 1))
                .then(),
        task -> Mono.empty(),
        (task, failure) -> closing(task),
        FileThreads::closing);
  }

  /**
   * Fetches elements as they are demanded, each on one thread, one after another. What was opened
   * is closed at the end, after an error and after a cancel, there by a file thread too.
   */
  static <T> Flux<T> pull(Callable<Pull<T>> open, Errors error) {
    return Flux.defer(
        () -> {
          AtomicBoolean isCancelled = new AtomicBoolean();
          return Flux.<T, Pull<T>>generate(
                  open,
                  (pull, sink) -> {
                    T next = run(pull::next, error, isCancelled);
                    if (next == null) {
                      sink.complete();
                    } else {
                      sink.next(next);
                    }
                    return pull;
                  },
                  FileThreads::closeLater)
              .subscribeOn(Holder.SCHEDULER, true)
              .doOnCancel(() -> isCancelled.set(true));
        });
  }

  /**
   * Ends a long call in an error where the thread was interrupted.
   *
   * @throws ClosedByInterruptException where it was; it stays interrupted
   */
  static void checkInterrupt() throws ClosedByInterruptException {
    if (Thread.currentThread().isInterrupted()) {
      throw new ClosedByInterruptException();
    }
  }

  private static <T> @Nullable T run(Call<T> call, Errors error, AtomicBoolean isCancelled) {
    try {
      return call.run();
    } catch (ClosedByInterruptException e) {
      if (isCancelled.get()) {
        return null; // the cancel interrupted the thread, and its subscriber is gone
      }
      throw error.of(e);
    } catch (IOException e) {
      throw error.of(e);
    } catch (OutOfMemoryError e) {
      throw error.of(e);
    }
  }

  /** Grows from 1 ms to 50 ms, and is never the same for two writers. */
  private static Mono<Long> pause(long times) {
    long longest = TimeUnit.MILLISECONDS.toNanos(Math.min(50, 1L << Math.min(times, 6)));
    long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest);
    return Mono.delay(Duration.ofNanos(pause), Holder.TIMER);
  }

  private static Mono<Void> closing(Task task) {
    return Mono.<Void>fromRunnable(task::close).subscribeOn(Holder.SCHEDULER);
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
    static final Scheduler TIMER = Daemons.timer("zarr-file-timer");
  }
}
