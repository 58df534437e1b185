package dev.zarrreactive.store;

import dev.zarrreactive.spi.Spi;
import reactor.core.publisher.Mono;

/**
 * A store whose changes take effect together, such as a new archive: nobody else sees one of them
 * before. They take effect when it is closed, unless it has an operation of its own for that.
 */
@Spi
public interface StagedStore extends Store {
  /** Lets the changes take effect, unless the store has an operation of its own for that. */
  @Override
  Mono<Void> close();

  /** Gives the changes up; what was there before stays as it is. */
  Mono<Void> discard();

  /** Returns true for a staged store, also one that other stores decorate. */
  static boolean isOne(Store store) {
    Store each = store;
    while (!(each instanceof StagedStore) && each instanceof DelegatingStore decorator) {
      each = decorator.delegate();
    }
    return each instanceof StagedStore;
  }
}
