package dev.zarrreactive.cli.process;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Ends the command when memory is exhausted on a thread that can signal no error, and the work
 * would wait for ever. The work is cancelled, and incomplete files are removed. All memory for this
 * is allocated beforehand.
 */
public final class MemoryWatch {
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
  public static MemoryWatch ofProcess(Set<Logger> loggers) {
    MemoryWatch watch = new MemoryWatch(Thread.currentThread());
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> watch.see(thrown));
    Schedulers.onHandleError((thread, thrown) -> watch.see(thrown));
    loggers.forEach(logger -> logger.addHandler(watch.new LogHandler()));
    Thread watcher = new Thread(watch::end, "zarr-memory-watch");
    watcher.setDaemon(true);
    watcher.start();
    return watch;
  }

  /** Returns the error of a thread, or null before one. */
  public @Nullable OutOfMemoryError error() {
    return error;
  }

  /** Records an error, on the thread on which it occurred. */
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

  /** Records the errors that a library logs, and prints nothing. */
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
