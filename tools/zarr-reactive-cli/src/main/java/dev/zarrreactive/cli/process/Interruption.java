package dev.zarrreactive.cli.process;

import dev.zarrreactive.internal.partial.PartialFile;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Handles Ctrl-C: it interrupts the main thread, which cancels the work. Incomplete output is
 * removed before the process ends.
 */
public final class Interruption {
  private static final long PATIENCE_SECONDS = 3;
  private static final long LOOK_MILLIS = 5;

  private final Thread waiting;
  private final CountDownLatch done = new CountDownLatch(1);

  private Interruption(Thread waiting) {
    this.waiting = waiting;
  }

  /** Lets the end of the process interrupt this thread. */
  public static Interruption ofThisThread() {
    Interruption interruption = new Interruption(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::cancel, "zarr-cancel"));
    return interruption;
  }

  /** Marks the command as ended. */
  public void nothingLeftToInterrupt() {
    done.countDown();
  }

  /** Interrupts the command unless it has ended, and waits until its hidden files are removed. */
  void cancel() {
    try {
      if (done.getCount() != 0) {
        waiting.interrupt();
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
      }
      awaitHiddenFiles();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Lets the threads of stores remove the hidden files of cancelled writes, which takes moments.
   */
  private static void awaitHiddenFiles() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (PartialFile.areOpenHere() && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }
}
