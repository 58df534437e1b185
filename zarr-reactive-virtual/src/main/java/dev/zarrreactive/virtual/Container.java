package dev.zarrreactive.virtual;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The objects below a prefix that a reader has allowed, and their store. */
final class Container {
  /** The servers of Tigris, which speak S3. */
  private static final String TIGRIS = "https://fly.storage.tigris.dev";

  private final VirtualUrl prefix;
  private final @Nullable Store given;
  private final StoreOptions options;
  private final Mono<Store> opening;
  private @Nullable Store opened;
  private boolean isClosed;

  /**
   * Creates a container.
   *
   * @param prefix its path ends with a slash
   * @param given the store of the reader, whose keys begin behind the prefix; null to open one
   */
  Container(VirtualUrl prefix, @Nullable Store given, StoreOptions options) {
    this.prefix = prefix;
    this.given = given;
    this.options = options;
    this.opening = Mono.defer(this::open).cacheInvalidateIf(store -> false);
  }

  VirtualUrl prefix() {
    return prefix;
  }

  /** Returns true for the URL of an object below the prefix. */
  boolean contains(VirtualUrl url) {
    return url.path().startsWith(prefix.path());
  }

  /** Emits the store; opens it at the first call, without a request. */
  Mono<Store> store() {
    return given == null ? opening : Mono.just(given);
  }

  private Mono<Store> open() {
    return Stores.open(address(), addressed())
        .onErrorMap(
            IllegalArgumentException.class,
            e ->
                new StoreException(
                    "the container " + prefix + " cannot be opened: " + e.getMessage(),
                    Location.UNKNOWN,
                    e))
        .map(Container::confined)
        .flatMap(this::keep);
  }

  private String address() {
    return prefix.scheme().equals("tigris")
        ? new VirtualUrl("s3", prefix.authority(), prefix.path()).toString()
        : prefix.toString();
  }

  private StoreOptions addressed() {
    boolean isTigris = prefix.scheme().equals("tigris") && options.get("endpoint") == null;
    return isTigris ? options.with("endpoint", TIGRIS) : options;
  }

  private static Store confined(Store store) {
    return store instanceof FileSystemStore files ? files.withoutLinksOut() : store;
  }

  private Mono<Store> keep(Store store) {
    synchronized (this) {
      if (!isClosed) {
        opened = store;
        return Mono.just(store);
      }
    }
    return store.close().then(Mono.error(this::closed));
  }

  private StoreException closed() {
    return new StoreException("the container " + prefix + " is closed", Location.UNKNOWN);
  }

  /** Closes the store if this container has opened it. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          Store store;
          synchronized (this) {
            isClosed = true;
            store = opened;
            opened = null;
          }
          return store == null ? Mono.empty() : store.close();
        });
  }
}
