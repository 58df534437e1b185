package dev.zarrreactive.http;

import dev.zarrreactive.internal.sharing.SharedFailure;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The headers that authenticate requests. The first request asks their source for them, and one
 * request after a refusal asks again. Requests that wait for them share one call.
 */
final class HttpCredentials {
  private final Mono<Held> current;
  private final boolean mayChange;
  private volatile @Nullable Held last;

  private HttpCredentials(Mono<Map<String, String>> source, boolean mayChange) {
    this.mayChange = mayChange;
    this.current =
        source
            .defaultIfEmpty(Map.of())
            .map(headers -> new Held(Map.copyOf(headers)))
            .doOnNext(held -> last = held)
            .cacheInvalidateIf(held -> held.refused); // and an error always
  }

  /** Returns credentials that never change. */
  static HttpCredentials fixed(Map<String, String> headers) {
    return new HttpCredentials(Mono.just(headers), false);
  }

  /** Returns credentials of a source, which may emit others each time. */
  static HttpCredentials from(Mono<Map<String, String>> source) {
    return new HttpCredentials(source, true);
  }

  /** Returns the headers that the last request had; null where the source must be asked. */
  @Nullable Held known() {
    Held held = last;
    return held == null || held.refused ? null : held;
  }

  /** Emits the headers for a request. */
  Mono<Held> get() {
    return current.onErrorMap(SharedFailure::forOne);
  }

  /**
   * Marks headers as refused by the server, so that the next request asks the source.
   *
   * @return false where the source never changes
   */
  boolean refuse(Held held) {
    held.refused = mayChange;
    return mayChange;
  }

  /** The headers of one call of the source. */
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
