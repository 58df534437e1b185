package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes below a group, as its consolidated metadata list them. The groups below share this
 * list. Some programs write empty consolidated metadata into those groups, although they have
 * nodes.
 */
public final class KnownNodes {
  /** An empty knowledge. */
  static final KnownNodes NONE = new KnownNodes(NodePath.ROOT, null, null);

  private final NodePath group;
  private final @Nullable ConsolidatedMetadata metadata;
  private final @Nullable Validity trust;

  private KnownNodes(
      NodePath group, @Nullable ConsolidatedMetadata metadata, @Nullable Validity trust) {
    this.group = group;
    this.metadata = metadata;
    this.trust = trust;
  }

  /**
   * Returns the nodes that consolidated metadata list. Empty ones tell nothing.
   *
   * @param trust the validity of the metadata, begun before they were read
   */
  static KnownNodes of(NodePath path, NodeMetadata metadata, Validity trust) {
    ConsolidatedMetadata consolidated =
        metadata instanceof GroupMetadata node ? node.consolidated() : null;
    if (consolidated == null || consolidated.paths().isEmpty()) {
      trust.end();
      return NONE;
    }
    return new KnownNodes(path, consolidated, trust);
  }

  /** Returns the metadata while they are valid, otherwise null. */
  private @Nullable ConsolidatedMetadata believed() {
    return trust != null && trust.holds() ? metadata : null;
  }

  /** Returns the nodes directly below {@code path}, sorted, or null if they are unknown. */
  @Nullable Stream<FoundNode> children(NodePath path) {
    ConsolidatedMetadata known = believed();
    return known == null
        ? null
        : known.children(group.relativize(path)).stream()
            .map(child -> node(child, Objects.requireNonNull(known.look(child))));
  }

  /** Returns whether entries of the metadata were left out, so that other nodes may exist. */
  boolean isPartial() {
    return metadata != null && !metadata.problems().isEmpty();
  }

  /** Returns whether a node is known at {@code path}. */
  boolean has(NodePath path) {
    ConsolidatedMetadata known = believed();
    return known != null && group.contains(path) && known.paths().contains(group.relativize(path));
  }

  /** Returns the node at {@code path}, which may be unreadable, or null if it is unknown. */
  @Nullable FoundNode node(NodePath path) {
    ConsolidatedMetadata known = believed();
    String relative = group.contains(path) ? group.relativize(path) : "";
    NodeMetadata found = known == null ? null : known.look(relative);
    return found == null ? null : node(relative, found);
  }

  private FoundNode node(String relative, NodeMetadata found) {
    return new FoundNode(group.resolve(relative), found, this);
  }

  /**
   * The validity of metadata that were read of the nodes below a group. It ends when this process
   * writes one of these nodes, through any hierarchy on the same store. It begins before the
   * reading, so that a write in between ends it.
   */
  static final class Validity {
    /** The instances to notify, weakly referenced. */
    private static final Set<Validity> TOLD =
        Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final Store store;
    private final NodePath group;
    private volatile boolean over;

    private Validity(Store store, NodePath group) {
      this.store = store;
      this.group = group;
    }

    /** Begins the validity of metadata of the nodes below {@code group}. */
    static Validity below(Store store, NodePath group) {
      Validity trust = new Validity(store, group);
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
}
