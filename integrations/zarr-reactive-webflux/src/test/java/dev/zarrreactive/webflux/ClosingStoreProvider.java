package dev.zarrreactive.webflux;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import reactor.core.publisher.Mono;

/** Opens {@code closing:} URLs: stores in memory that tell when they are closed. */
public final class ClosingStoreProvider implements StoreProvider {
  private static final Set<Store> CLOSED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Called by {@link java.util.ServiceLoader}. */
  public ClosingStoreProvider() {}

  static boolean closed(Store store) {
    Store origin = store;
    while (origin instanceof DelegatingStore decorator && !(origin instanceof Closing)) {
      origin = decorator.delegate();
    }
    return CLOSED.contains(origin);
  }

  @Override
  public Set<String> schemes() {
    return Set.of("closing");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(() -> new Closing(MemoryStore.create()));
  }

  private static final class Closing extends DelegatingStore {
    Closing(Store delegate) {
      super(delegate);
    }

    @Override
    public Mono<Void> close() {
      return Mono.fromRunnable(() -> CLOSED.add(this));
    }
  }
}
