package dev.zarrreactive.spark;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** Opens {@code counted:///path}: files, of which each request is noted. */
public final class CountedStores implements StoreProvider {
  private static final Queue<String> KEYS = new ConcurrentLinkedQueue<>();
  static final AtomicInteger OPEN = new AtomicInteger();

  static void reset() {
    KEYS.clear();
  }

  /** Returns the keys that were requested, each as often as it was. */
  static List<String> all() {
    return List.copyOf(KEYS);
  }

  /** Returns the keys of chunks below an array that were requested, each as often as it was. */
  static List<String> chunks(String array) {
    return KEYS.stream().filter(key -> key.startsWith(array + "/c/")).sorted().toList();
  }

  @Override
  public Set<String> schemes() {
    return Set.of("counted");
  }

  @Override
  public Mono<Store> open(URI uri, StoreOptions options) {
    return Mono.fromSupplier(
        () -> {
          OPEN.incrementAndGet();
          return new Counted(FileSystemStore.open(Path.of(uri.getPath())));
        });
  }

  private static final class Counted extends DelegatingStore {
    Counted(Store store) {
      super(store);
    }

    private <T> Mono<T> noted(StoreKey key, Mono<T> request) {
      return request.doOnSubscribe(subscription -> KEYS.add(key.value()));
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return noted(key, delegate().get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return noted(key, delegate().get(key, range));
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, ByteRange range, ReadCondition condition) {
      return noted(key, delegate().getVersioned(key, range, condition));
    }

    @Override
    public Mono<Void> close() {
      return Mono.defer(
          () -> {
            OPEN.decrementAndGet();
            return delegate().close();
          });
    }
  }
}
