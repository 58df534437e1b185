package dev.zarrreactive.partition;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The repositories, archives and references that the tasks of this process have read last, by the
 * state that their driver has seen. Tasks share what they have cached, such as manifests. One that
 * is forgotten is not closed, for a task may still read it: it holds connections only, which close
 * by themselves. Thread-safe.
 */
final class OpenStates {
  /** Each may cache an eighth of the heap. */
  private static final int MOST = 2;

  private static final LoadingCache<String, StoreDescription, ZarrHierarchy> OPEN =
      new LoadingCache<>(
          MOST,
          CachePolicy.of(StoreDescription::state, hierarchy -> 1, UnaryOperator.identity()),
          new Generations());

  private OpenStates() {}

  /**
   * Emits the open hierarchy, or opens it once for all who wait.
   *
   * @param operations the same for all tasks with one state
   */
  static Mono<ZarrHierarchy> find(StoreDescription store, ZarrOptions operations) {
    return Mono.defer(() -> OPEN.lookUp(store, () -> store.open(operations)).value());
  }
}
