package dev.zarrreactive.cli;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.MemoryStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** Opens {@code test:} URLs as stores in memory, and keeps what it was told. */
public final class TestStoreProvider implements StoreProvider {
  static final List<URI> OPENED = new CopyOnWriteArrayList<>();
  static final List<Map<String, String>> OPTIONS = new CopyOnWriteArrayList<>();
  static final List<URI> CLOSED = new CopyOnWriteArrayList<>();

  /** Called by {@link java.util.ServiceLoader}. */
  public TestStoreProvider() {}

  static void forget() {
    OPENED.clear();
    OPTIONS.clear();
    CLOSED.clear();
  }

  @Override
  public Set<String> schemes() {
    return Set.of("test");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(
        () -> {
          OPENED.add(uri);
          OPTIONS.add(values(options));
          return new TestStore(uri);
        });
  }

  static Map<String, String> values(StoreOptions options) {
    return new TreeMap<>(
        options.names().stream()
            .collect(Collectors.toMap(name -> name, name -> String.valueOf(options.get(name)))));
  }

  private static final class TestStore extends DelegatingStore {
    private final URI uri;

    TestStore(URI uri) {
      super(MemoryStore.named(uri.getAuthority()));
      this.uri = uri;
    }

    @Override
    public Mono<Void> close() {
      return Mono.fromRunnable(() -> CLOSED.add(uri));
    }
  }
}
