package dev.zarrreactive.store.zip;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Threads for what must not hold up whoever delivers bytes or subscribes: daemons, shared by all
 * zip stores of the process, gone when idle for a minute. Inflating and checking has as many as
 * there are cores, calls to the file system have others, at least four.
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
   * cancel drops a call that waits for a thread, but never interrupts one: to interrupt a thread
   * that uses a file channel closes the channel for everyone.
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
                } catch (Throwable e) {
                  sink.error(e);
                }
              });
        });
  }

  private static final class Computing {
    static final Scheduler SCHEDULER =
        create(Runtime.getRuntime().availableProcessors(), "zarr-zip-");
  }

  private static final class Files {
    static final Scheduler SCHEDULER =
        create(Math.max(4, Runtime.getRuntime().availableProcessors()), "zarr-zip-file-");
  }

  /** Not through {@code Schedulers}, whose factory a test with virtual time may have replaced. */
  private static Scheduler create(int threads, String name) {
    Scheduler scheduler =
        new Schedulers.Factory() {}.newBoundedElastic(
            threads, Integer.MAX_VALUE, new Daemons(name), IDLE_SECONDS);
    scheduler.init();
    return scheduler;
  }

  private static final class Daemons implements ThreadFactory {
    private final String name;
    private final AtomicInteger made = new AtomicInteger();

    Daemons(String name) {
      this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
      Thread thread = new Thread(work, name + made.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    }
  }
}
