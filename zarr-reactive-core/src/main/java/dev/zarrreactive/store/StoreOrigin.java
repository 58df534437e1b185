package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/**
 * The store below all decorators of {@link Stores}, next to which requests are limited and
 * measured: above it, a hit in a cache would wait for a permit, and a back-off would hold one. For
 * a client of stores that brings a limit of its own, as a hierarchy does. Two origins are equal
 * where they refer to the same store object.
 */
public final class StoreOrigin {
  private final Store store;
  private final @Nullable OriginStore gate;
  private final boolean isLimited;

  private StoreOrigin(Store store, @Nullable OriginStore gate, boolean isLimited) {
    this.store = store;
    this.gate = gate;
    this.isLimited = isLimited;
  }

  /**
   * Returns the origin of {@code store}. It is found through every {@link DelegatingStore}; a store
   * without decorators of {@link Stores}, other than those that only rename or refuse, is its own.
   */
  public static StoreOrigin of(Store store) {
    boolean isLimited = false;
    for (Store each = store; each instanceof DelegatingStore next; each = next.delegate()) {
      isLimited |= each instanceof LimitedStore;
      if (each instanceof OriginStore gate) {
        return new StoreOrigin(gate.delegate(), gate, isLimited || gate.isLimited());
      }
    }
    return new StoreOrigin(store, null, isLimited);
  }

  /** Returns true where there is a decorator between the store and its origin. */
  public boolean isDecorated() {
    return gate != null;
  }

  /** Returns true where the store has a limit of its own, at its origin or above. */
  public boolean isLimited() {
    return isLimited;
  }

  /**
   * Returns {@code decorated}, a store with this origin, whose requests to the origin also keep to
   * {@code limit} and whose reads of the origin are measured. Other users of {@code decorated} are
   * not concerned.
   *
   * @param limit null for none beside the store's own
   */
  public Store admitting(Store decorated, @Nullable RequestLimit limit, ReadProbe probe) {
    if (gate != null) {
      return new AdmittedStore(decorated, gate, gate.admitted(limit, probe));
    }
    Store measured = new MeasuredStore(decorated, probe);
    return limit == null ? measured : new LimitedStore(measured, limit);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoreOrigin that && store == that.store;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(store);
  }

  @Override
  public String toString() {
    return "StoreOrigin[" + store + "]";
  }
}
