package dev.zarrreactive.simulation;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Results of what needs no time, such as of values in memory. */
final class Immediately {
  private Immediately() {}

  /** Returns the value, which is there when the subscription returns. */
  static <T> @Nullable T get(Mono<T> mono) {
    Object[] end = new Object[3];
    mono.subscribe(value -> end[0] = value, error -> end[1] = error, () -> end[2] = "complete");
    if (end[1] instanceof RuntimeException error) {
      throw error;
    }
    if (end[0] == null && end[2] == null) {
      throw new IllegalStateException("it takes time: " + mono);
    }
    @SuppressWarnings("unchecked") // the only value that was emitted
    T value = (T) end[0];
    return value;
  }
}
