package dev.zarrreactive.cli;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Ends the command when memory runs out on a thread that can signal no error, and the work that
 * waits for this thread would never end. The work is cancelled, so that no half-written file stays.
 * Everything that this takes is allocated before.
 */
final class MemoryWatch {
  private static final long PATIENCE_SECONDS = 3;

  private final CountDownLatch exhausted = new CountDownLatch(1);
  private final Thread waiting;
  private volatile @Nullable OutOfMemoryError error;

  private MemoryWatch(Thread waiting) {
    this.waiting = waiting;
  }

  /**
   * Starts to watch all threads of the process.
   *
   * @param loggers the libraries that catch an error of a thread and only log it
   */
  static MemoryWatch ofProcess(Set<Logger> loggers) {
    MemoryWatch watch = new MemoryWatch(Thread.currentThread());
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> watch.see(thrown));
    Schedulers.onHandleError((thread, thrown) -> watch.see(thrown));
    loggers.forEach(logger -> logger.addHandler(watch.new LogHandler()));
    Thread watcher = new Thread(watch::end, "zarr-memory-watch");
    watcher.setDaemon(true);
    watcher.start();
    return watch;
  }

  /** The error of the thread; null while there is none. */
  @Nullable OutOfMemoryError error() {
    return error;
  }

  /** Takes note of an error, on the thread that met it. */
  void see(@Nullable Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError memory) {
        if (error == null) {
          error = memory;
        }
        exhausted.countDown();
      }
    }
  }

  private void end() {
    try {
      exhausted.await();
      waiting.interrupt();
      TimeUnit.SECONDS.sleep(PATIENCE_SECONDS);
      Runtime.getRuntime().halt(ExitCode.MEMORY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sees the errors that a library logs; prints nothing. */
  private final class LogHandler extends Handler {
    @Override
    public void publish(LogRecord event) {
      see(event.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
