package dev.zarrreactive.store;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens archives of one kind as stores. Found by {@link java.util.ServiceLoader}: a module names
 * its provider in {@code META-INF/services/dev.zarrreactive.store.ArchiveProvider}.
 */
@Spi
public interface ArchiveProvider {
  /** The endings of the names of such archives, in lower case, such as {@code .zip}. */
  Set<String> suffixes();

  /**
   * Opens the archive that is the value of {@code key} in {@code store}; an error where there is
   * none. Each subscription opens it anew. Closing the archive leaves {@code store} open.
   */
  Mono<Store> open(Store store, StoreKey key);
}
