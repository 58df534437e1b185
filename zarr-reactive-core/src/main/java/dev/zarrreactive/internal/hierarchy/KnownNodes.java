package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes below a group as its consolidated metadata have them, which the groups below share:
 * those that such a group carries itself are empty as some programs write them, whatever is in it.
 */
public final class KnownNodes {
  /** Nothing is known. */
  static final KnownNodes NONE = new KnownNodes(NodePath.ROOT, null, null);

  private final NodePath group;
  private final @Nullable ConsolidatedMetadata metadata;
  private final @Nullable Trust trust;

  private KnownNodes(
      NodePath group, @Nullable ConsolidatedMetadata metadata, @Nullable Trust trust) {
    this.group = group;
    this.metadata = metadata;
    this.trust = trust;
  }

  /**
   * What the metadata of a node say of those below it. Empty consolidated metadata say nothing.
   *
   * @param trust in what was read; begun before
   */
  static KnownNodes of(NodePath path, NodeMetadata metadata, Trust trust) {
    ConsolidatedMetadata consolidated =
        metadata instanceof GroupMetadata node ? node.consolidated() : null;
    if (consolidated == null || consolidated.paths().isEmpty()) {
      trust.end();
      return NONE;
    }
    return new KnownNodes(path, consolidated, trust);
  }

  /** The metadata, while they may be believed. */
  private @Nullable ConsolidatedMetadata believed() {
    return trust != null && trust.holds() ? metadata : null;
  }

  /** The nodes directly below {@code path}, sorted; null where nothing is known. */
  @Nullable Stream<FoundNode> children(NodePath path) {
    ConsolidatedMetadata known = believed();
    return known == null
        ? null
        : known.children(group.relativize(path)).stream()
            .map(child -> node(child, Objects.requireNonNull(known.look(child))));
  }

  /** True where a node is known at {@code path}. */
  boolean has(NodePath path) {
    ConsolidatedMetadata known = believed();
    return known != null && group.contains(path) && known.paths().contains(group.relativize(path));
  }

  /** The node at {@code path}, which may be unreadable; null where nothing is known of it. */
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
