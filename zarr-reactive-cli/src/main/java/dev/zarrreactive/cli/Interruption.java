package dev.zarrreactive.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C: it interrupts the main thread, which cancels the work. Incomplete output is
 * removed before the process ends.
 */
final class Interruption {
  private static final long PATIENCE_SECONDS = 3;

  private final Thread waiting;
  private final CountDownLatch done = new CountDownLatch(1);

  private Interruption(Thread waiting) {
    this.waiting = waiting;
  }

  static Interruption ofThisThread() {
    Interruption interruption = new Interruption(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::cancel, "zarr-cancel"));
    return interruption;
  }

  /** Marks the command as ended. */
  void nothingLeftToInterrupt() {
    done.countDown();
  }

  private void cancel() {
    if (done.getCount() == 0) {
      return;
    }
    waiting.interrupt();
    try {
      if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(130);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
