package dev.zarrreactive.internal.pipeline;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Something that several wait for and that is fetched once, when the first of them subscribes. Who
 * cancels leaves; when the last has left, the fetch is cancelled. A failure goes to all who wait,
 * and is not kept: whoever comes later fetches again.
 */
final class SharedFetch<T> {
  private final Mono<T> joined;
  private volatile @Nullable T fetched;

  /** A fetch that is not empty. */
  SharedFetch(Mono<T> fetch) {
    Mono<T> once = Mono.defer(() -> known(fetch.doOnNext(value -> fetched = value)));
    this.joined = once.flux().replay(1).refCount().singleOrEmpty();
  }

  Mono<T> get() {
    return Mono.defer(() -> known(joined));
  }

  private Mono<T> known(Mono<T> otherwise) {
    T value = fetched;
    return value == null ? otherwise : Mono.just(value);
  }
}
