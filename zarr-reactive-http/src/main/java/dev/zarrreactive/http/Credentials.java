package dev.zarrreactive.http;

import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The headers that prove who asks. They are asked for when the first request needs them, kept, and
 * asked for again when a server refuses them; all requests that wait for them share one call.
 */
final class Credentials {
  private final Mono<Held> current;
  private final boolean mayChange;

  private Credentials(Mono<Map<String, String>> source, boolean mayChange) {
    this.mayChange = mayChange;
    this.current =
        source
            .defaultIfEmpty(Map.of())
            .map(headers -> new Held(Map.copyOf(headers)))
            .cacheInvalidateIf(held -> held.refused); // an error is not kept either
  }

  /** Headers that never change. */
  static Credentials fixed(Map<String, String> headers) {
    return new Credentials(Mono.just(headers), false);
  }

  /** Headers that {@code source} gives anew each time. */
  static Credentials from(Mono<Map<String, String>> source) {
    return new Credentials(source, true);
  }

  /** What is to be sent now. */
  Mono<Held> get() {
    return current;
  }

  /**
   * Has them asked for again.
   *
   * @return false where they would be the same
   */
  boolean refuse(Held held) {
    held.refused = mayChange;
    return mayChange;
  }

  /** Headers as they were at some time. */
  static final class Held {
    private final Map<String, String> headers;
    private volatile boolean refused;

    private Held(Map<String, String> headers) {
      this.headers = headers;
    }

    Map<String, String> headers() {
      return headers;
    }
  }
}
