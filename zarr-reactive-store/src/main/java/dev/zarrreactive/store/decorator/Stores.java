package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoreProvider;
import dev.zarrreactive.store.decorator.RequestLimit.LimitedStore;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Opens stores by where they are, and decorates them: each decorator adds one behaviour to any
 * store, keeps its rules and closes it when closed. {@link #stack} puts several decorators over a
 * store in the order that works best; the other methods add one at a time, in any order.
 */
public final class Stores {
  private static final Pattern SCHEME =
      Pattern.compile("(?s)([A-Za-z][A-Za-z0-9+.-]+):(//[^/?#]*)?(.*)");

  /** Characters that people write in URLs and that no path or query of a URI has. */
  private static final String ENCODED = " []{}<>^`\"";

  private Stores() {}

  /** The store at {@code location}, without options; as {@link #open(String, StoreOptions)}. */
  public static Mono<Store> open(String location) {
    return open(location, StoreOptions.none());
  }

  /**
   * The store at {@code location}: a path of this system, {@code file:///...}, {@code memory:name}
   * (see {@link MemoryStore#named}), or the URL of a store whose module is on the class path, such
   * as {@code https://...} (see {@link StoreProvider}). An archive is not opened here; {@code
   * Zarr.store} does that.
   *
   * <p>Each subscription opens a store of its own, which the subscriber closes. Opening never
   * blocks, and a cancel ends it. An invalid location is an {@link IllegalArgumentException}. A
   * scheme without a provider is an {@link dev.zarrreactive.error.UnsupportedFeatureException} that
   * names the module to add. Both are signalled through {@code onError}.
   */
  public static Mono<Store> open(String location, StoreOptions options) {
    return Mono.defer(() -> StoreProviders.open(uri(location), options));
  }

  /**
   * The URI of a location, a {@code file:} URI where it is a path. The text before a colon is a
   * scheme if two slashes follow or if the scheme is known; a single letter is a drive. Spaces,
   * brackets and quotes behind the host of a URL may stand as they are.
   *
   * @throws IllegalArgumentException where it is neither a URI nor a path; the message does not
   *     show what may be a secret
   */
  public static URI uri(String location) {
    Matcher matcher = SCHEME.matcher(location);
    boolean isUri =
        matcher.matches()
            && (matcher.group(2) != null
                || StoreProviders.knows(matcher.group(1).toLowerCase(Locale.ROOT)));
    if (!isUri) {
      return FileSystemStore.open(Path.of(location)).uri();
    }
    try {
      String host = matcher.group(2) == null ? "" : matcher.group(2);
      return new URI(matcher.group(1) + ":" + host + encoded(matcher.group(3)));
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "no URL: "
              + e.getReason()
              + " at character "
              + e.getIndex()
              + " after "
              + matcher.group(1)
              + ":");
    }
  }

  private static String encoded(String path) {
    StringBuilder text = new StringBuilder(path.length() + 16);
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (ENCODED.indexOf(c) >= 0) {
        text.append(String.format("%%%02X", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /** Returns a builder of decorators over {@code origin}, in the order that works best. */
  public static Stack stack(Store origin) {
    return new Stack(origin);
  }

  /** {@code store}, which refuses every change. */
  public static Store readOnly(Store store) {
    return new ReadOnlyStore(store);
  }

  /**
   * The part of {@code store} below {@code prefix}, as a store of its own: the prefix is put before
   * keys that go in and taken from keys that come out. Errors name the whole key.
   */
  public static Store prefixed(Store store, StorePrefix prefix) {
    return new PrefixedStore(store, prefix);
  }

  /**
   * {@code store} with at most {@code maxConcurrentRequests} requests in flight, over all
   * operations and subscribers of the result together. Operations take turns, as {@link
   * RequestLimit} says; a waiting request occupies no thread, the queue is unbounded, and a
   * cancelled request leaves it. A permit is released when its request completes, fails or is
   * cancelled, before the result is delivered.
   *
   * <p>Permits are taken by each {@code get}, {@code getVersioned}, {@code set}, {@code erase} and
   * {@code erasePrefix}; a listing from its first demand to its first element or end. A listing
   * releases its permit then, because a subscriber that reads each listed key would otherwise wait
   * for its own listing for ever.
   *
   * @throws IllegalArgumentException where the number is not positive
   */
  public static Store limited(Store store, int maxConcurrentRequests) {
    return limited(store, RequestLimit.fixed(maxConcurrentRequests));
  }

  /**
   * {@code store} with at most as many requests in flight as {@code limit} allows, as in {@link
   * #limited(Store, int)}. Stores that are given the same limit share it. A hierarchy on the
   * result, or on a store that decorates it, has no default limit of its own.
   */
  public static Store limited(Store store, RequestLimit limit) {
    return OriginStore.gated(store) == store
        ? new LimitedStore(store, limit)
        : new OriginStore(store, limit);
  }

  /**
   * {@code store}, which caches the values and ranges that it reads: bytes as they are stored,
   * before any codec. Concurrent reads of the same value or range make one request; see {@link
   * CachedStore}.
   */
  public static CachedStore cached(Store store, CacheOptions options) {
    return new CachedStore(OriginStore.gated(store), options);
  }

  /**
   * {@code store}, whose requests are repeated when they fail with a {@link
   * dev.zarrreactive.error.TransientStoreException}: after a wait that grows from attempt to
   * attempt and is partly left to chance, but not before the time that the server asked for; as
   * long as the request's deadline allows, and the budget that all requests share. After that the
   * request fails with its last error. Requests to a server that refuses connections wait together
   * until it is back, for three to six seconds by default: see {@link RetryOptions#attempts}. A
   * request without an answer at its deadline is cancelled; a writer of arrays lets a write go on
   * unheard, so that it cannot replace a later one.
   *
   * <p>A {@code set} or {@code erase} on condition is made once, for the first attempt may have
   * made the condition false. A listing has no deadline, and is repeated only before its first
   * element is delivered. Parts of values and keys to erase are repeated one by one.
   *
   * <p>Best over a limit, so that each attempt waits for its turn, and below a cache, as in a
   * {@link #stack}. A write that is cancelled by a writer of arrays makes no further attempt. Waits
   * are timed, and attempts begun, by a thread of this library's own.
   */
  public static Store retrying(Store store, RetryOptions options) {
    return new RetryingStore(OriginStore.gated(store), options, Environment.current().timer());
  }

  /**
   * {@code store}, whose late reads are sent a second time. A read is late when it has taken longer
   * than the 95th percentile (p95) of the last 256 answers, and longer than twice their median. The
   * first answer is the result, and the other request is cancelled. {@link HedgeOptions} bounds the
   * share of second requests; a late read beyond it waits until another one is allowed. After a
   * failure no read is sent twice until twenty requests in a row were answered. Writes, erasures
   * and listings are sent once.
   *
   * <p>Best over a limit, because a second request counts, and over retries, as in a {@link
   * #stack}. A thread of this library sends the second requests.
   */
  public static Store hedged(Store store, HedgeOptions options) {
    return new HedgedStore(OriginStore.gated(store), options, Environment.current().timer());
  }

  /**
   * {@code store}, which tells {@code observer} of its requests, and of what the decorators below
   * do for them. Outermost, the observer sees the requests of the readers; innermost, those to the
   * server.
   */
  public static Store observed(Store store, StoreObserver observer) {
    return new ObservedStore(store, observer);
  }

  /**
   * Builds a store from an origin and decorators in the one order in which none weakens another:
   *
   * <pre>{@code origin ← limited ← observed ← retrying ← hedged ← cached}</pre>
   *
   * <p>So only attempts hold a permit: neither hits in the cache nor back-offs do. An adaptive
   * limit and the observer see every attempt. Each decorator is there once at most, and only where
   * it is asked for, in any order. Not thread-safe; {@link #build} may be called more than once.
   */
  public static final class Stack {
    private final Store origin;
    private @Nullable RequestLimit limit;
    private @Nullable StoreObserver observer;
    private @Nullable RetryOptions retries;
    private @Nullable HedgeOptions hedges;
    private @Nullable CacheOptions cache;

    private Stack(Store origin) {
      this.origin = origin;
    }

    /** Limits the requests to the origin, as {@link Stores#limited(Store, RequestLimit)}. */
    public Stack limit(RequestLimit requests) {
      this.limit = requests;
      return this;
    }

    /**
     * Tells {@code told} of the requests to the origin, as {@link Stores#observed}; their time has
     * the wait for a permit in it, of which the observer is told, too.
     */
    public Stack observe(StoreObserver told) {
      this.observer = told;
      return this;
    }

    /** Repeats requests, as {@link Stores#retrying}. */
    public Stack retry(RetryOptions options) {
      this.retries = options;
      return this;
    }

    /** Makes second requests, as {@link Stores#hedged}. */
    public Stack hedge(HedgeOptions options) {
      this.hedges = options;
      return this;
    }

    /**
     * Keeps what was read, as {@link Stores#cached}; {@link #build} returns a {@link CachedStore}.
     */
    public Stack cache(CacheOptions options) {
      this.cache = options;
      return this;
    }

    /** Returns the store, which closes the origin when it is closed. */
    public Store build() {
      Store store = limit == null ? OriginStore.gated(origin) : Stores.limited(origin, limit);
      store = observer == null ? store : Stores.observed(store, observer);
      store = retries == null ? store : Stores.retrying(store, retries);
      store = hedges == null ? store : Stores.hedged(store, hedges);
      return cache == null ? store : Stores.cached(store, cache);
    }
  }
}
