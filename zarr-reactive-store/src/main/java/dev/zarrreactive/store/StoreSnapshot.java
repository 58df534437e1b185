package dev.zarrreactive.store;

import dev.zarrreactive.spi.Spi;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The snapshot that a store shows of something that changes in whole steps, such as the branch of
 * an Icechunk repository. The values of the store never change. Such a store implements this beside
 * {@link Store}; a decorator passes it on in {@link DelegatingStore#snapshot}.
 */
@Spi
public interface StoreSnapshot {
  /** Returns the snapshot of {@code store}; null where it shows none, or a decorator hides it. */
  static @Nullable StoreSnapshot of(Store store) {
    if (store instanceof StoreSnapshot snapshot) {
      return snapshot;
    }
    return store instanceof DelegatingStore decorator ? decorator.snapshot() : null;
  }

  /** Returns the name of the snapshot, which no other one of the same origin has. */
  String id();

  /**
   * Emits the store of the snapshot that has taken the place of this one by now; this store, or one
   * with the same id, where none has. An error where nothing can be found out.
   */
  Mono<Store> newest();
}
