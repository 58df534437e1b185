package dev.zarrreactive.copy;

import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;

/**
 * The nodes that a copy would create, the root first, and each before those below it.
 *
 * @param nodes the nodes
 * @param changes every change of metadata for the sake of other programs
 */
public record CopyOutline(List<Node> nodes, List<CopyChange> changes) {
  /** The number of stored chunks in a source that cannot be listed, and their size. */
  public static final long UNKNOWN = -1;

  /** Creates an outline with copies of the lists. */
  public CopyOutline {
    nodes = List.copyOf(nodes);
    changes = List.copyOf(changes);
  }

  /**
   * A node that would be created.
   *
   * @param source the path of the node in the source
   * @param path its path in the destination
   * @param metadata its metadata in the destination
   * @param chunks the number of chunks of the copy's grid, at most {@link Long#MAX_VALUE}; 0 of a
   *     group
   * @param bytes the size of the elements, decoded, at most {@link Long#MAX_VALUE}
   * @param storedChunks the number of stored chunks that are read; {@link #UNKNOWN} if the source
   *     cannot be listed
   * @param storedBytes their size as far as the listing tells it; {@link #UNKNOWN} as before
   */
  public record Node(
      NodePath source,
      NodePath path,
      NodeMetadata metadata,
      long chunks,
      long bytes,
      long storedChunks,
      long storedBytes) {}

  /** The number and the size of stored chunks. */
  record Stored(long chunks, long bytes) {
    static final Stored NOT_LISTED = new Stored(UNKNOWN, UNKNOWN);

    Stored plus(long size) {
      return new Stored(chunks + 1, size < 0 ? bytes : SaturatingSize.sum(bytes, size));
    }
  }
}
