package dev.zarrreactive.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what other threads do. */
public final class Waiting {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Waiting() {}

  /** Waits until something is so. */
  public static void eventually(String what, BooleanSupplier holds) {
    eventually(() -> what, holds);
  }

  /** Waits until something is so; {@code what} says in the end how it is. */
  public static void eventually(Supplier<String> what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean() && System.nanoTime() < deadline) {
      pause(1);
    }
    assertThat(holds.getAsBoolean()).as(what.get()).isTrue();
  }

  /** Gives what must not happen some time to happen. */
  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
