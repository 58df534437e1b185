package dev.zarrreactive.cli;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Opens {@code test:} URLs as stores in memory, and keeps what it was told. */
public final class TestStoreProvider implements StoreProvider {
  static final List<URI> OPENED = new CopyOnWriteArrayList<>();
  static final List<Map<String, String>> OPTIONS = new CopyOnWriteArrayList<>();
  static final List<URI> CLOSED = new CopyOnWriteArrayList<>();

  /** Called by {@link java.util.ServiceLoader}. */
  public TestStoreProvider() {}

  /** Whether the store at {@code test://full} has room for all. */
  static volatile boolean isEnlarged;

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
          return "exhausted".equals(uri.getAuthority())
              ? new ExhaustedStore()
              : "denied".equals(uri.getAuthority())
                  ? new DeniedStore(uri)
                  : "full".equals(uri.getAuthority()) ? new FullStore(uri) : new TestStore(uri);
        });
  }

  static Map<String, String> values(StoreOptions options) {
    return new TreeMap<>(
        options.names().stream()
            .collect(Collectors.toMap(name -> name, name -> String.valueOf(options.get(name)))));
  }

  /** A store that has room for four values, until {@link #isEnlarged}. */
  private static final class FullStore extends DelegatingStore {
    private static final int ROOM = 4;

    FullStore(URI uri) {
      super(MemoryStore.named(uri.getAuthority() + uri.getPath()));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return checked(key, super.set(key, value, precondition));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value) {
      return checked(key, super.set(key, value));
    }

    private Mono<Void> checked(StoreKey key, Mono<Void> write) {
      return list()
          .count()
          .flatMap(
              count ->
                  count < ROOM || isEnlarged
                      ? write
                      : Mono.error(
                          new StoreException("no space left", Location.ofKey(key.value()))));
    }
  }

  private static final class TestStore extends DelegatingStore {
    private final URI uri;

    TestStore(URI uri) {
      super(MemoryStore.named(uri.getAuthority() + uri.getPath()));
      this.uri = uri;
    }

    @Override
    public Mono<Void> close() {
      return Mono.fromRunnable(() -> CLOSED.add(uri));
    }
  }

  /** The demonstration, with an array that nobody may read, and one that nobody may list. */
  private static final class DeniedStore extends DelegatingStore {
    private final boolean isUnlisted;

    DeniedStore(URI uri) {
      super(FileSystemStore.open(CommandRun.EARTH.resolve(uri.getPath().replaceAll("^/", ""))));
      this.isUnlisted = uri.getPath().endsWith("rgb");
    }

    private static <T> Mono<T> unlessDenied(StoreKey key, Mono<T> answer) {
      return key.value().startsWith("earth/lon/") ? denied(key.value()) : answer;
    }

    private static <T> Mono<T> denied(String key) {
      return Mono.error(
          new AccessDeniedException("the file system denies access", Location.ofKey(key)));
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return unlessDenied(key, super.get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return unlessDenied(key, super.get(key, range));
    }

    @Override
    public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
      return isUnlisted
          ? DeniedStore.<ListEntry.Key>denied(prefix.value()).flux()
          : super.listValues(prefix);
    }
  }

  /** A store whose threads end when they read, as for lack of memory, without a word to anyone. */
  private static final class ExhaustedStore extends DelegatingStore {
    ExhaustedStore() {
      super(MemoryStore.create());
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return get(key, ByteRange.whole(Long.MAX_VALUE));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return Mono.create(
          sink ->
              new Thread(
                      () -> {
                        throw new OutOfMemoryError("of a test");
                      })
                  .start());
    }
  }
}
