package dev.zarrreactive.copy;

import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import org.jspecify.annotations.Nullable;

/**
 * A node that is to be made.
 *
 * @param path its path in the destination
 * @param metadata what it will be
 * @param chunks how its chunks come there; null for a group
 */
record NodeCopy(NodePath path, NodeMetadata metadata, @Nullable ArrayCopy chunks) {
  long chunkCount() {
    return chunks == null ? 0 : chunks.chunkCount();
  }
}
