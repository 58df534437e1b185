package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Whether what was read of the nodes below a group may still be believed: until this process writes
 * one of them, through whatever hierarchy on the same store. A trust begins before the reading, so
 * that no write can slip in between.
 */
final class Trust {
  /** Who may have to be told; nobody is kept alive for that. */
  private static final Set<Trust> TOLD =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final Store store;
  private final NodePath group;
  private volatile boolean over;

  private Trust(Store store, NodePath group) {
    this.store = store;
    this.group = group;
  }

  /** A trust in what will be read of the nodes below {@code group}. */
  static Trust below(Store store, NodePath group) {
    Trust trust = new Trust(store, group);
    TOLD.add(trust);
    return trust;
  }

  boolean holds() {
    return !over;
  }

  /** Ends this trust: there is nothing that it is about. */
  void end() {
    over = true;
    TOLD.remove(this);
  }

  /** Ends every trust that a change of the node at {@code path}, and of those below, concerns. */
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
