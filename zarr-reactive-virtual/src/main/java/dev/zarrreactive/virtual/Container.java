package dev.zarrreactive.virtual;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The objects below a prefix that a reader has allowed, and their store. */
final class Container {
  private static final String TIGRIS = "tigris";

  /** The servers of Tigris, which speak S3. */
  private static final String TIGRIS_SERVERS = "https://fly.storage.tigris.dev";

  /** The schemes of servers that take the name of an object as it is written. */
  private static final Set<String> VERBATIM = Set.of("s3", "gs", TIGRIS);

  /** The most stores below the prefix, for keys with segments that no key of a store has. */
  private static final int MOST_BELOW = 64;

  /** The most queries of URLs, each of which has a store: some two kilobytes. */
  private static final int MOST_QUERIES = 10_000;

  private final VirtualUrl prefix;
  private final @Nullable Store given;
  private final StoreOptions options;
  private final Mono<Store> store;
  private final Map<String, Mono<Store>> below = new HashMap<>();
  private final Map<String, Mono<Store>> queried = new HashMap<>();
  private final List<Store> opened = new ArrayList<>();
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
    this.store = given == null ? opening(prefix, null) : Mono.just(given);
  }

  VirtualUrl prefix() {
    return prefix;
  }

  /** Returns true for the URL of an object below the prefix. */
  boolean contains(VirtualUrl url) {
    return url.path().startsWith(prefix.path());
  }

  /**
   * An object of a container.
   *
   * @param store emits the store, which it opens without a request
   */
  record Found(Mono<Store> store, StoreKey key) {}

  /**
   * Finds the object at a path behind the prefix, as it is written.
   *
   * @param query of a URL of HTTP, which a store that is opened here sends; null for none
   * @throws IllegalArgumentException if no store has such a key
   */
  Found find(String path, @Nullable String query) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("it names a prefix, and no object below it");
    }
    int start = given == null && VERBATIM.contains(prefix.scheme()) ? behindOddSegments(path) : 0;
    StoreKey key;
    try {
      key = StoreKey.of(path.substring(start));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the path behind "
              + prefix
              + " has an empty segment, \".\", \"..\" or half a character, and a store cannot have"
              + " such a key",
          e);
    }
    if (given == null && query != null) {
      return new Found(queried(query), key);
    }
    return new Found(start == 0 ? store : below(path.substring(0, start)), key);
  }

  /** Returns where the segments begin that the keys of stores may have. */
  private static int behindOddSegments(String path) {
    int behind = 0;
    int start = 0;
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', start)) {
      String segment = path.substring(start, slash);
      start = slash + 1;
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        behind = start;
      }
    }
    return behind;
  }

  /** Returns the store at a prefix below this one, with the same options. */
  private Mono<Store> below(String path) {
    synchronized (below) {
      if (below.size() >= MOST_BELOW && !below.containsKey(path)) {
        throw new IllegalArgumentException(
            "more than "
                + MOST_BELOW
                + " prefixes below "
                + prefix
                + " have empty segments, \".\" or \"..\"");
      }
      return below.computeIfAbsent(path, any -> opening(prefix.at(prefix.path() + path), null));
    }
  }

  /**
   * Returns the store whose requests have a query, such as a signature. It shares the connections
   * of the others, and is one for all objects of this query, so that their parts are read together.
   */
  private Mono<Store> queried(String query) {
    synchronized (queried) {
      if (queried.size() >= MOST_QUERIES && !queried.containsKey(query)) {
        throw new IllegalArgumentException(
            "more than "
                + MOST_QUERIES
                + " URLs below "
                + prefix
                + " have queries of their own, such as signatures; a store that signs by itself can"
                + " be given for this prefix");
      }
      return queried.computeIfAbsent(query, each -> opening(prefix, each));
    }
  }

  private Mono<Store> opening(VirtualUrl url, @Nullable String query) {
    return Mono.defer(() -> open(url, query)).cacheInvalidateIf(any -> false);
  }

  private Mono<Store> open(VirtualUrl url, @Nullable String query) {
    boolean isTigris = url.scheme().equals(TIGRIS);
    String address =
        isTigris ? new VirtualUrl("s3", url.authority(), url.path()).toString() : url.toString();
    String asked = query == null ? address : address + "?" + query;
    StoreOptions addressed =
        isTigris && options.get("endpoint") == null
            ? options.with("endpoint", TIGRIS_SERVERS)
            : options;
    return Stores.open(asked, addressed)
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

  private static Store confined(Store store) {
    return store instanceof FileSystemStore files ? files.withoutLinksOut() : store;
  }

  private Mono<Store> keep(Store made) {
    synchronized (opened) {
      if (!isClosed) {
        opened.add(made);
        return Mono.just(made);
      }
    }
    return made.close()
        .then(
            Mono.error(
                () ->
                    new StoreException(
                        "the container " + prefix + " is closed", Location.UNKNOWN)));
  }

  /** Closes the stores that this container has opened. */
  Mono<Void> close() {
    return Mono.defer(
        () -> {
          List<Store> all;
          synchronized (opened) {
            isClosed = true;
            all = List.copyOf(opened);
            opened.clear();
          }
          return Concurrently.map(Flux.fromIterable(all), 16, Store::close).then();
        });
  }
}
