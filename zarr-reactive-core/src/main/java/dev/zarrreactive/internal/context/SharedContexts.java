package dev.zarrreactive.internal.context;

import dev.zarrreactive.internal.context.HierarchyContext.BudgetBytes;
import dev.zarrreactive.internal.context.HierarchyContext.Limits;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Contexts that all nodes of one store object with equal options share. A context lives as long as
 * an opened node or a running operation refers to it. So nodes that are opened without a hierarchy
 * share one bound of bytes in flight and one cache of shard indexes.
 *
 * <p>Stores that were opened by their location have one bound of bytes in flight together, whatever
 * the location, for their bytes lie in one heap. Other options for the bound make another bound.
 */
public final class SharedContexts {
  private static final SharedContexts OF_THIS_PROCESS = new SharedContexts();

  private final Map<Key, Use<Key, HierarchyContext>> contexts = new HashMap<>();
  private final Map<Bound, Use<Bound, BudgetBytes>> bounds = new HashMap<>();
  private final ReferenceQueue<Object> unused = new ReferenceQueue<>();

  SharedContexts() {}

  /**
   * Returns the context of {@code store}, with a bound of bytes in flight for this store object.
   */
  public static HierarchyContext of(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    return OF_THIS_PROCESS.get(store, limits, ownLimit, observer, false);
  }

  /**
   * Returns the context of a store that was opened by its location, with the bound of bytes in
   * flight that all such stores share.
   */
  public static HierarchyContext located(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    return OF_THIS_PROCESS.get(store, limits, ownLimit, observer, true);
  }

  /** Tells the observer of a new context outside of the lock, since it may open others. */
  HierarchyContext get(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer,
      boolean isLocated) {
    HierarchyContext made;
    synchronized (this) {
      forgetUnused();
      Key key = new Key(new StoreIdentity(store), limits, ownLimit, observer, isLocated);
      HierarchyContext known = inUse(contexts, key);
      if (known != null) {
        return known;
      }
      BudgetBytes bytes = isLocated ? sharedBytes(limits) : BudgetBytes.of(limits);
      made = new HierarchyContext(store, limits, ownLimit, observer, bytes, isLocated);
      contexts.put(key, new Use<>(contexts, key, made, unused));
    }
    return made.announced();
  }

  private BudgetBytes sharedBytes(Limits limits) {
    Bound bound =
        new Bound(
            limits.inFlightBytes(),
            limits.independentOperations(),
            limits.maxWait(),
            Environment.current().codecScheduler());
    BudgetBytes bytes = inUse(bounds, bound);
    if (bytes == null) {
      bytes = BudgetBytes.of(limits);
      bounds.put(bound, new Use<>(bounds, bound, bytes, unused));
    }
    return bytes;
  }

  private static <K, T> @Nullable T inUse(Map<K, Use<K, T>> all, K key) {
    Use<K, T> use = all.get(key);
    return use == null ? null : use.get();
  }

  /** Returns the number of shared contexts. */
  synchronized int size() {
    forgetUnused();
    return contexts.size();
  }

  /** Returns the number of bounds that stores which were opened by their location share. */
  synchronized int sharedBounds() {
    forgetUnused();
    return bounds.size();
  }

  private void forgetUnused() {
    for (Object use = unused.poll(); use != null; use = unused.poll()) {
      ((Use<?, ?>) use).forget();
    }
  }

  private record Key(
      StoreIdentity store,
      Limits limits,
      @Nullable RequestLimit limit,
      @Nullable ZarrObserver observer,
      boolean isLocated) {}

  /**
   * The key of a bound.
   *
   * @param timer measures the waits of the bound
   */
  private record Bound(
      long bytes, boolean isForIndependent, @Nullable Duration maxWait, Scheduler timer) {}

  /**
   * The identity of a store object, which is referenced weakly. Equal stores may hold different
   * data.
   */
  private static final class StoreIdentity extends WeakReference<Store> {
    private final int hash;

    StoreIdentity(Store store) {
      super(store);
      this.hash = System.identityHashCode(store);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      Store store = get();
      return other == this
          || (store != null && other instanceof StoreIdentity that && that.get() == store);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** Something in a map that is there for as long as it is in use. */
  private static final class Use<K, T> extends WeakReference<T> {
    private final Map<K, Use<K, T>> all;
    private final K key;

    Use(Map<K, Use<K, T>> all, K key, T used, ReferenceQueue<Object> unused) {
      super(used, unused);
      this.all = all;
      this.key = key;
    }

    void forget() {
      all.remove(key, this);
    }
  }
}
