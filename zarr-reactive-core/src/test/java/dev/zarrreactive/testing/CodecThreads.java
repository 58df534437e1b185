package dev.zarrreactive.testing;

import static dev.zarrreactive.testing.Waiting.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.threads.Environment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waiting for the codec threads. */
public final class CodecThreads {
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  /** A codec thread may give another one something to do, and so on: a few times at most. */
  private static final int ROUNDS = 8;

  private CodecThreads() {}

  /**
   * Returns when the codec threads have done all that they had been given, and all that came of it:
   * what has not happened by then does not happen before something else does.
   */
  public static void settled() {
    for (int round = 0; round < ROUNDS; round++) {
      CountDownLatch done = new CountDownLatch(2 * CORES);
      for (int i = 0; i < 2 * CORES; i++) { // in turn: behind what each thread has to do
        Environment.current().codecScheduler().schedule(done::countDown);
      }
      try {
        assertThat(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
