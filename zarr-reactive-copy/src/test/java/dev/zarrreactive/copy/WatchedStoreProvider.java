package dev.zarrreactive.copy;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Stores in memory at {@code watched:} URLs, which count how many of them are open. */
public final class WatchedStoreProvider implements StoreProvider {
  private static final Map<URI, Store> STORES = new ConcurrentHashMap<>();
  private static final AtomicInteger OPEN = new AtomicInteger();

  /** How many stores were opened and are not closed. */
  static int open() {
    return OPEN.get();
  }

  @Override
  public Set<String> schemes() {
    return Set.of("watched");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(
        () -> {
          OPEN.incrementAndGet();
          return new Watched(STORES.computeIfAbsent(uri, missing -> MemoryStore.create()));
        });
  }

  private static final class Watched extends DelegatingStore {
    Watched(Store store) {
      super(store);
    }

    @Override
    public Mono<Void> close() {
      return Mono.fromRunnable(OPEN::decrementAndGet);
    }
  }
}
