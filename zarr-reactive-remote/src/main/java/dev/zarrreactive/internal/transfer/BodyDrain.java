package dev.zarrreactive.internal.transfer;

import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads the rest of a small body, so that its connection can be used again. */
public final class BodyDrain {
  /** A longer rest costs more than a new connection. */
  private static final long LIMIT = 64 << 10;

  private BodyDrain() {}

  /** Returns true where a rest of {@code count} bytes is worth reading. */
  public static boolean isWorth(long count) {
    return count <= LIMIT;
  }

  /** Completes at the end of the body, at its error, or when the rest is too long. */
  public static Mono<Void> of(Flux<ByteBuffer> content) {
    return Mono.defer(
        () -> {
          long[] seen = {0};
          return content
              .map(part -> seen[0] += part.remaining())
              .takeUntil(count -> !isWorth(count))
              .then()
              .onErrorComplete();
        });
  }
}
