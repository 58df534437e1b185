package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The validity of metadata that were read of the nodes below a group. It ends when this process
 * writes one of these nodes, through any hierarchy on the same store. It begins before the reading,
 * so that a write in between ends it.
 */
final class SnapshotValidity {
  /** The instances to notify, weakly referenced. */
  private static final Set<SnapshotValidity> TOLD =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final NodePath group;
  private volatile boolean over;

  private SnapshotValidity(Store store, NodePath group) {
    this.store = store;
    this.group = group;
  }

  /** Begins the validity of metadata of the nodes below {@code group}. */
  static SnapshotValidity below(Store store, NodePath group) {
    SnapshotValidity trust = new SnapshotValidity(store, group);
    TOLD.add(trust);
    return trust;
  }

  boolean holds() {
    return !over;
  }

  /** Ends the validity of metadata that were not found. */
  void end() {
    over = true;
    TOLD.remove(this);
  }

  /** Ends the validity of all metadata that a change at {@code path}, or below, concerns. */
  static void end(Store store, NodePath path) {
    synchronized (TOLD) {
      TOLD.removeIf(trust -> trust.endsBy(store, path));
    }
  }

  private boolean endsBy(Store changed, NodePath path) {
    boolean concerned = store == changed && (group.contains(path) || path.contains(group));
    if (concerned) {
      over = true;
    }
    return concerned;
  }
}
