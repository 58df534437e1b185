package dev.zarrreactive.store;

import dev.zarrreactive.spi.Spi;
import reactor.core.publisher.Mono;

/**
 * A store that is made as a whole, such as a new archive: its values take effect together when it
 * is closed, and nobody else sees one of them before.
 */
@Spi
public interface StagedStore extends Store {
  /** Makes the store from the values that were written. */
  @Override
  Mono<Void> close();

  /** Gives the values up; what the store was to replace stays as it is. */
  Mono<Void> discard();
}
