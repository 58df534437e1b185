package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node that is to be made.
 *
 * @param source the node that is copied
 * @param path its path in the destination
 * @param metadata what it will be
 * @param changes what it says in another way
 * @param chunks how its chunks come there; null for a group
 */
record NodeCopy(
    ZarrNode source,
    NodePath path,
    NodeMetadata metadata,
    List<CopyChange> changes,
    @Nullable ArrayCopy chunks) {
  long chunkCount() {
    return chunks == null ? 0 : chunks.chunkCount();
  }
}
