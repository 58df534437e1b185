package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * The writes of this process to one store. They invalidate the caches of every hierarchy opened on
 * it. A store is compared by identity: two stores may be equal and hold different values.
 */
final class StoreChanges {
  private static final Set<StoreChanges> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final Generations generations = new Generations();

  /** The arrays of which handles are in use, and their shapes. */
  private final KnownShapes shapes = new KnownShapes();

  private final Set<HierarchyContext> contexts =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private StoreChanges(Store store) {
    this.store = store;
  }

  /** Returns the changes of {@code store}, which all hierarchies opened on it share. */
  static StoreChanges of(Store store) {
    synchronized (ALL) {
      return ALL.stream()
          .filter(other -> other.store == store)
          .findAny()
          .orElseGet(
              () -> {
                StoreChanges mine = new StoreChanges(store);
                ALL.add(mine);
                return mine;
              });
    }
  }

  void add(HierarchyContext context) {
    contexts.add(context);
  }

  /** Returns the shapes that this process has given to arrays. */
  KnownShapes shapes() {
    return shapes;
  }

  Generations generations() {
    return generations;
  }

  /**
   * Returns {@code request}, which sets or erases one value. Caches invalidate the value before and
   * after.
   */
  <T> Mono<T> change(StoreKey key, Mono<T> request) {
    return invalidateAround(
        request,
        () -> {
          generations.advance(key);
          each(context -> context.forget(key));
        });
  }

  /**
   * Returns {@code request}, which changes several values. Invalidation examines every cache entry.
   */
  <T> Mono<T> change(Predicate<StoreKey> keys, Mono<T> request) {
    return invalidateAround(
        request,
        () -> {
          generations.advanceAll();
          each(context -> context.forget(keys));
        });
  }

  private static <T> Mono<T> invalidateAround(Mono<T> request, Runnable invalidation) {
    return Mono.defer(
        () -> {
          invalidation.run();
          return request.doOnTerminate(invalidation).doOnCancel(invalidation);
        });
  }

  private void each(Consumer<HierarchyContext> action) {
    List<HierarchyContext> now;
    synchronized (contexts) {
      now = new ArrayList<>(contexts);
    }
    now.forEach(action);
  }
}
