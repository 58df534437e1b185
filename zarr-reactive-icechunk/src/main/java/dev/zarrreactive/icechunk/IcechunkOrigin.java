package dev.zarrreactive.icechunk;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import java.util.Optional;

/**
 * The version of a repository that a store shows.
 *
 * @param repository as it was when the store was made
 * @param version that was asked for
 * @param snapshot that it led to
 */
public record IcechunkOrigin(
    IcechunkRepository repository, IcechunkVersion version, IcechunkSnapshot snapshot) {

  /**
   * Returns the version that a store shows, also one that other stores decorate; empty for a store
   * that {@link IcechunkRepository#store} has not made. Makes no request.
   */
  public static Optional<IcechunkOrigin> of(Store store) {
    Store each = store;
    while (each instanceof DelegatingStore decorator) {
      each = decorator.delegate();
    }
    return each instanceof SnapshotStore version ? Optional.of(version.origin()) : Optional.empty();
  }
}
