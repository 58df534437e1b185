package dev.zarrreactive.internal.store;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A store that closes what was opened for it, after itself. */
final class ClosingStore extends DelegatingStore {
  private final Mono<Void> more;

  /**
   * Wraps a store.
   *
   * @param more closes what was opened for it
   */
  ClosingStore(Store store, Mono<Void> more) {
    super(store);
    this.more = more;
  }

  @Override
  public @Nullable LocatedValues located() {
    return LocatedValues.of(delegate());
  }

  /** A newer store needs no close of its own. */
  @Override
  public @Nullable StoreSnapshot snapshot() {
    return StoreSnapshot.of(delegate());
  }

  @Override
  public Mono<Void> close() {
    return delegate().close().then(more);
  }

  @Override
  public String toString() {
    return delegate().toString();
  }
}
