package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The planned copy of one node.
 *
 * @param source the node that is copied
 * @param path its path in the destination
 * @param metadata the metadata of the copy
 * @param changes the parts that other programs need in another form
 * @param chunks the copy of its chunks; null for a group
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
