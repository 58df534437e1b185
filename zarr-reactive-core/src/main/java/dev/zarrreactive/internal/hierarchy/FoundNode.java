package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;

/**
 * A node that is there.
 *
 * @param metadata an {@link UnreadableMetadata} where the node is only looked at, not opened
 * @param below what is known of the nodes below it without asking for them
 */
public record FoundNode(NodePath path, NodeMetadata metadata, KnownNodes below) {
  /** A node below which nothing is known. */
  public FoundNode(NodePath path, NodeMetadata metadata) {
    this(path, metadata, KnownNodes.NONE);
  }

  /** This node, or the error that opening it ends in. */
  FoundNode orThrow() {
    if (metadata instanceof UnreadableMetadata unreadable) {
      throw unreadable.error();
    }
    return this;
  }
}
