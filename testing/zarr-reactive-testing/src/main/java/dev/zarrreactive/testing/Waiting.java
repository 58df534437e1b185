package dev.zarrreactive.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Waiting for what other threads do. */
public final class Waiting {
  /** Longer than anything takes that ends, on a machine that is busy with other programs, too. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private Waiting() {}

  /** The result; subscribed on a thread that must not block, where BlockHound can see it. */
  public static <T> @Nullable T await(Mono<T> result) {
    return result.subscribeOn(Schedulers.parallel()).block(PATIENCE);
  }

  /** The results; subscribed on a thread that must not block. */
  public static <T> List<T> await(Flux<T> results) {
    return requireNonNull(await(results.collectList()));
  }

  /** The error that the publisher ends in; null where it completes. */
  public static @Nullable Throwable errorOf(Mono<?> publisher) {
    return catchThrowable(() -> await(publisher));
  }

  /** Waits until something is so. */
  public static void eventually(String what, BooleanSupplier holds) {
    eventually(() -> what, holds);
  }

  /** Waits until something is so; {@code what} says in the end how it is. */
  public static void eventually(Supplier<String> what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) { // once true is enough: it may be otherwise for a moment again
      assertThat(System.nanoTime()).as(what.get()).isLessThan(deadline);
      pause();
    }
  }

  static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
