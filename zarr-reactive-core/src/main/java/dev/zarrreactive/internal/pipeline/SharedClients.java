package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.Store;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients that are shared by all users of one store object with equal options, for as long as one
 * of them holds the client: an opened node does, and an operation under way. So the bytes in flight
 * of everything that is opened without a hierarchy have one bound, and shards have one cache.
 */
public final class SharedClients {
  private static final SharedClients OF_THIS_PROCESS = new SharedClients();

  private final Map<Key, Use> uses = new HashMap<>();
  private final ReferenceQueue<Client> unused = new ReferenceQueue<>();

  SharedClients() {}

  /** Returns the client of {@code store}, as {@link Client#Client} makes it. */
  public static Client of(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    return OF_THIS_PROCESS.get(store, limits, ownLimit, observer);
  }

  synchronized Client get(
      Store store,
      Limits limits,
      @Nullable RequestLimit ownLimit,
      @Nullable ZarrObserver observer) {
    forgetUnused();
    Key key = new Key(new StoreIdentity(store), limits, ownLimit, observer);
    Use use = uses.get(key);
    Client client = use == null ? null : use.get();
    if (client == null) {
      client = new Client(store, limits, ownLimit, observer);
      uses.put(key, new Use(key, client, unused));
    }
    return client;
  }

  /** Returns how many clients are shared. */
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
   * One store object, which it does not keep in memory; stores may be equal and hold other data.
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

  private static final class Use extends WeakReference<Client> {
    private final Key key;

    Use(Key key, Client client, ReferenceQueue<Client> unused) {
      super(client, unused);
      this.key = key;
    }
  }
}
