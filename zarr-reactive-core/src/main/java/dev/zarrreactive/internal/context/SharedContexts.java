package dev.zarrreactive.internal.context;

import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Contexts that all nodes of one store object with equal options share. A context lives as long as
 * an opened node or a running operation refers to it. So nodes that are opened without a hierarchy
 * share one bound of bytes in flight and one cache of shard indexes.
 */
public final class SharedContexts {
  private static final SharedContexts OF_THIS_PROCESS = new SharedContexts();

  private final Map<Key, Use> uses = new HashMap<>();
  private final ReferenceQueue<HierarchyContext> unused = new ReferenceQueue<>();

  SharedContexts() {}

  /**
   * Returns the context of {@code store}, as {@link HierarchyContext#HierarchyContext} makes it.
   */
  public static HierarchyContext of(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    return OF_THIS_PROCESS.get(store, limits, ownLimit, observer);
  }

  synchronized HierarchyContext get(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    forgetUnused();
    Key key = new Key(new StoreIdentity(store), limits, ownLimit, observer);
    Use use = uses.get(key);
    HierarchyContext context = use == null ? null : use.get();
    if (context == null) {
      context = new HierarchyContext(store, limits, ownLimit, observer);
      uses.put(key, new Use(key, context, unused));
    }
    return context;
  }

  /** Returns the number of shared contexts. */
  synchronized int size() {
    forgetUnused();
    return uses.size();
  }

  private void forgetUnused() {
    for (Object use = unused.poll(); use != null; use = unused.poll()) {
      uses.remove(((Use) use).key, use);
    }
  }

  private record Key(
      StoreIdentity store,
      Limits limits,
      @Nullable RequestLimit limit,
      @Nullable ZarrObserver observer) {}

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

  private static final class Use extends WeakReference<HierarchyContext> {
    private final Key key;

    Use(Key key, HierarchyContext context, ReferenceQueue<HierarchyContext> unused) {
      super(context, unused);
      this.key = key;
    }
  }
}
