package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.metadata.UnreadableMetadata;

/**
 * A node that exists.
 *
 * @param metadata an {@link UnreadableMetadata} for a node that is only looked at
 * @param below the nodes below it that are known without a request
 */
public record FoundNode(NodePath path, NodeMetadata metadata, KnownNodes below) {
  /** Creates a node below which no node is known. */
  public FoundNode(NodePath path, NodeMetadata metadata) {
    this(path, metadata, KnownNodes.NONE);
  }

  /** Returns this node, or throws the error of opening it. */
  FoundNode orThrow() {
    if (metadata instanceof UnreadableMetadata unreadable) {
      throw unreadable.error();
    }
    return this;
  }
}
