package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;

/** A node that is there. */
public record FoundNode(NodePath path, NodeMetadata metadata) {}
