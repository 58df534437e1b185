package dev.zarrreactive;

import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The stores of nodes that were opened by their location. Nodes at one location, opened with equal
 * options, share one store, and so its caches, for as long as one of them is in use. The last
 * opener that closes the store closes its connections. The garbage collector takes a store without
 * users that was left open. Each open of an archive reads its directory anew. Thread-safe.
 */
final class SharedLocations {
  private static final SharedLocations OF_THIS_PROCESS = new SharedLocations();

  /** The schemes whose stores hold nothing that must be closed. */
  private static final Set<String> NEVER_CLOSED = Set.of("file", "memory");

  private final Map<Key, Opened> stores = new HashMap<>();
  private final ReferenceQueue<Store> unused = new ReferenceQueue<>();

  SharedLocations() {}

  /** Opens the store at a location, or shares the one that is open. */
  static Mono<Store> open(String location, StoreOptions options) {
    return OF_THIS_PROCESS.store(location, options);
  }

  Mono<Store> store(String given, StoreOptions options) {
    return Mono.defer(() -> Pipeline.named(given, options))
        .flatMap(location -> named(location, options));
  }

  private Mono<Store> named(String location, StoreOptions options) {
    return Mono.defer(
        () -> {
          if (!StoreLocation.isShared(location)) {
            return StoreLocation.open(location, options);
          }
          URI uri = Stores.uri(location);
          Key key = new Key(normalized(uri), options);
          Store known = join(key);
          return known != null
              ? Mono.just(known)
              : Stores.open(uri.toString(), options).flatMap(opened -> share(key, uri, opened));
        });
  }

  /** Returns one text for a directory, with a slash at its end or without, as a path or a URI. */
  private static String normalized(URI uri) {
    URI plain = "file".equals(uri.getScheme()) ? FileSystemStore.open(uri).uri() : uri;
    String text = plain.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** Returns the number of locations whose stores are in use. */
  int size() {
    synchronized (stores) {
      forgetUnused();
      return stores.size();
    }
  }

  private @Nullable Store join(Key key) {
    synchronized (stores) {
      forgetUnused();
      Opened opened = stores.get(key);
      Store store = opened == null ? null : opened.get();
      if (store instanceof SharedStore shared) {
        shared.users++;
      }
      return store;
    }
  }

  /** Shares a store that was opened, unless another subscriber was quicker. */
  private Mono<Store> share(Key key, URI uri, Store opened) {
    Store own =
        NEVER_CLOSED.contains(String.valueOf(uri.getScheme()))
            ? opened
            : new SharedStore(key, opened);
    Store shared = joinOrAdd(key, own);
    return shared == own ? Mono.just(own) : opened.close().thenReturn(shared);
  }

  private Store joinOrAdd(Key key, Store own) {
    synchronized (stores) {
      Store quicker = join(key);
      if (quicker == null) {
        stores.put(key, new Opened(key, own, unused));
        return own;
      }
      return quicker;
    }
  }

  private void forgetUnused() {
    for (Object gone = unused.poll(); gone != null; gone = unused.poll()) {
      stores.remove(((Opened) gone).key, gone);
    }
  }

  /** Ends one use of a store; returns true for the last one. */
  private boolean leave(SharedStore store) {
    synchronized (stores) {
      if (store.users > 0 && --store.users == 0) {
        Opened opened = stores.get(store.key);
        if (opened != null && opened.get() == store) {
          stores.remove(store.key);
        }
        return true;
      }
      return false;
    }
  }

  /** The options may be secrets, so that no text shows them. */
  private record Key(String uri, StoreOptions options) {}

  private static final class Opened extends WeakReference<Store> {
    private final Key key;

    Opened(Key key, Store store, ReferenceQueue<Store> unused) {
      super(store, unused);
      this.key = key;
    }
  }

  /** A store that closes with the last of its openers. */
  private final class SharedStore extends DelegatingStore {
    private final Key key;
    private int users = 1; // guarded by stores

    SharedStore(Key key, Store opened) {
      super(opened);
      this.key = key;
    }

    @Override
    public @Nullable LocatedValues located() {
      return LocatedValues.of(delegate());
    }

    @Override
    public Mono<Void> close() {
      return Mono.defer(() -> leave(this) ? delegate().close() : Mono.empty());
    }

    @Override
    public String toString() {
      return delegate().toString();
    }
  }
}
