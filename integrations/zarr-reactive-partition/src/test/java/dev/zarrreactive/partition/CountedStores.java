package dev.zarrreactive.partition;

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
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Opens {@code counted:///path}: files, of which each request is noted and some wait. The engines'
 * tests share it.
 */
public final class CountedStores implements StoreProvider {
  private static final Queue<String> KEYS = new ConcurrentLinkedQueue<>();

  private static final AtomicInteger HELD = new AtomicInteger();
  private static final AtomicInteger OPEN = new AtomicInteger();

  private static volatile Predicate<String> isHeld = key -> false;
  private static volatile Sinks.One<Boolean> gate = Sinks.one();

  /** Forgets the requests, and lets all go on. */
  public static void reset() {
    KEYS.clear();
    isHeld = key -> false;
  }

  /** Lets requests wait until {@link #release}. */
  public static void hold(Predicate<String> keys) {
    gate = Sinks.one();
    isHeld = keys;
  }

  /** Lets the requests that wait go on. */
  public static void release() {
    isHeld = key -> false;
    gate.tryEmitValue(true);
  }

  /** Returns the number of requests that wait now. */
  public static int held() {
    return HELD.get();
  }

  /** Returns the number of stores that are open now. */
  public static int open() {
    return OPEN.get();
  }

  /** Returns the keys that were requested, each as often as it was. */
  public static List<String> all() {
    return List.copyOf(KEYS);
  }

  /** Returns the keys of chunks below an array that were requested, each as often as it was. */
  public static List<String> chunks(String array) {
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

    private static <T> Mono<T> noted(StoreKey key, Mono<T> request) {
      return Mono.defer(
          () -> {
            KEYS.add(key.value());
            if (!isHeld.test(key.value())) {
              return request;
            }
            HELD.incrementAndGet();
            return gate.asMono().doFinally(signal -> HELD.decrementAndGet()).then(request);
          });
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
