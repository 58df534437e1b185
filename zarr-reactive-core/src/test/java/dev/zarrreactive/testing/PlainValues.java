package dev.zarrreactive.testing;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.EnumSet;
import java.util.Set;

/** A store that neither tells versions nor checks conditions, or that lacks something else. */
public final class PlainValues extends DelegatingStore {
  private final Set<StoreCapability> lacking;

  public PlainValues(Store delegate) {
    this(
        delegate,
        StoreCapability.VERSIONS,
        StoreCapability.CONDITIONAL_WRITE,
        StoreCapability.CONDITIONAL_ERASE);
  }

  public PlainValues(Store delegate, StoreCapability first, StoreCapability... others) {
    super(delegate);
    this.lacking = EnumSet.of(first, others);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    Set<StoreCapability> all = EnumSet.copyOf(super.capabilities());
    all.removeAll(lacking);
    return all;
  }
}
