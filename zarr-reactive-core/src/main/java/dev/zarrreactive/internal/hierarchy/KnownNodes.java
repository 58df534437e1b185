package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.Objects;
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
  private final @Nullable SnapshotValidity trust;

  private KnownNodes(
      NodePath group, @Nullable ConsolidatedMetadata metadata, @Nullable SnapshotValidity trust) {
    this.group = group;
    this.metadata = metadata;
    this.trust = trust;
  }

  /**
   * Returns the nodes that consolidated metadata list. Empty ones tell nothing.
   *
   * @param trust the validity of the metadata, begun before they were read
   */
  static KnownNodes of(NodePath path, NodeMetadata metadata, SnapshotValidity trust) {
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
}
