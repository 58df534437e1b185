package dev.zarrreactive.store.decorator;

import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Builds a store from an origin and decorators in the one order in which none weakens another:
 *
 * <pre>{@code origin ← limited ← observed ← retrying ← hedged ← cached}</pre>
 *
 * <p>So only attempts hold a permit: neither hits in the cache nor back-offs do. An adaptive limit
 * and the observer see every attempt. Each decorator is there once at most, and only where it is
 * asked for, in any order. Not thread-safe; {@link #build} may be called more than once.
 */
public final class StoreStack {
  private final Store origin;
  private @Nullable RequestLimit limit;
  private @Nullable StoreObserver observer;
  private @Nullable RetryOptions retries;
  private @Nullable HedgeOptions hedges;
  private @Nullable CacheOptions cache;

  StoreStack(Store origin) {
    this.origin = origin;
  }

  /** Limits the requests to the origin, as {@link Stores#limited(Store, RequestLimit)}. */
  public StoreStack limit(RequestLimit requests) {
    this.limit = requests;
    return this;
  }

  /**
   * Tells {@code told} of the requests to the origin, as {@link Stores#observed}; their time has
   * the wait for a permit in it, of which the observer is told, too.
   */
  public StoreStack observe(StoreObserver told) {
    this.observer = told;
    return this;
  }

  /** Repeats requests, as {@link Stores#retrying}. */
  public StoreStack retry(RetryOptions options) {
    this.retries = options;
    return this;
  }

  /** Makes second requests, as {@link Stores#hedged}. */
  public StoreStack hedge(HedgeOptions options) {
    this.hedges = options;
    return this;
  }

  /**
   * Keeps what was read, as {@link Stores#cached}; {@link #build} returns a {@link CachedStore}.
   */
  public StoreStack cache(CacheOptions options) {
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
