package dev.zarrreactive.azure;

import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What tests of stores in containers share. */
final class InContainer {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private InContainer() {}

  /** Waits for a result; null for none. */
  static <T> @Nullable T await(Mono<T> result) {
    return result.subscribeOn(Schedulers.parallel()).block(PATIENCE);
  }

  /** Waits for the error of a request. */
  static Throwable errorOf(Mono<?> request) {
    return catchThrowable(() -> await(request));
  }

  /** Makes bytes that no other seed gives. */
  static Bytes random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }
}
