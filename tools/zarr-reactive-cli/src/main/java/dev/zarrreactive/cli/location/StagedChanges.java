package dev.zarrreactive.cli.location;

import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.StagedStore;
import dev.zarrreactive.store.Store;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The end of work on a store whose changes take effect together, and on any other. */
final class StagedChanges {
  private StagedChanges() {}

  /**
   * Closes a store after its work: a session of a repository is committed.
   *
   * @param told prints the sentence of a commit
   */
  static Mono<Void> keep(Store store, Function<String, Mono<Void>> told) {
    return store
        .close()
        .then(Mono.defer(() -> Mono.justOrEmpty(IcechunkSession.of(store))))
        .flatMap(
            session ->
                Mono.just(
                    session
                        .committed()
                        .map(id -> "Committed " + id + " to branch " + session.branch() + ".")
                        .orElseGet(
                            () ->
                                "Nothing was committed to branch "
                                    + session.branch()
                                    + ", which is at "
                                    + session.snapshot()
                                    + ".")))
        .flatMap(told);
  }

  /** Gives the changes up, and closes the store. */
  static Mono<Void> giveUp(Store store) {
    Store each = store;
    while (!(each instanceof StagedStore) && each instanceof DelegatingStore decorator) {
      each = decorator.delegate();
    }
    return each instanceof StagedStore staged
        ? staged.discard().then(Mono.defer(store::close))
        : store.close();
  }
}
