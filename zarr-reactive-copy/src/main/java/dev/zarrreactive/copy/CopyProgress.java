package dev.zarrreactive.copy;

import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.stream.Stream;

/**
 * The progress of a copy.
 *
 * @param node the destination's path of the last node with progress
 * @param nodes the number of finished nodes
 * @param nodesInAll the number of nodes
 * @param chunks the number of finished chunks of the destination: stored, missing in the source, or
 *     skipped
 * @param chunksInAll the number of chunks, at most {@link Long#MAX_VALUE}
 * @param bytes the size of the finished chunks, decoded
 * @param bytesInAll the decoded size of all chunks, at most {@link Long#MAX_VALUE}
 * @param chunksSkipped the number of {@code chunks} that were stored before
 * @param report the changes and omissions of the copy
 */
public record CopyProgress(
    NodePath node,
    int nodes,
    int nodesInAll,
    long chunks,
    long chunksInAll,
    long bytes,
    long bytesInAll,
    long chunksSkipped,
    CopyReport report) {

  /**
   * A part of the work that is done.
   *
   * @param filled chunks that are missing in the source, and stored in the copy
   * @param foreign keys of the source that belong to no node; {@link CopyReport#UNKNOWN} if they
   *     cannot be counted
   * @param unlisted nodes of the source that no group lists
   * @param consolidated whether the metadata of the group above the copy were consolidated
   */
  record Step(
      NodePath node,
      int nodes,
      long chunks,
      long bytes,
      long chunksSkipped,
      long filled,
      long foreign,
      long foreignCopied,
      List<NodePath> unlisted,
      boolean consolidated) {
    static Step ofChunks(NodePath node, long chunks, long bytes, long skipped, long filled) {
      return new Step(node, 0, chunks, bytes, skipped, filled, 0, 0, List.of(), false);
    }

    static Step ofNode(NodePath node) {
      return new Step(node, 1, 0, 0, 0, 0, 0, 0, List.of(), false);
    }

    static Step ofConsolidated(NodePath group) {
      return new Step(group, 0, 0, 0, 0, 0, 0, 0, List.of(), true);
    }

    static Step ofForeign(NodePath node, long found, long copied, List<NodePath> unlisted) {
      return new Step(node, 0, 0, 0, 0, 0, found, copied, unlisted, false);
    }

    /** Returns this step and another one of foreign files. */
    Step plusForeign(Step other) {
      return ofForeign(
          node,
          foreign + other.foreign,
          foreignCopied + other.foreignCopied,
          Stream.concat(unlisted.stream(), other.unlisted.stream())
              .distinct()
              .limit(CopyReport.MOST_UNLISTED_NODES)
              .toList());
    }
  }

  CopyProgress plus(Step step) {
    return new CopyProgress(
        step.node(),
        nodes + step.nodes(),
        nodesInAll,
        chunks + step.chunks(),
        chunksInAll,
        SaturatingSize.sum(bytes, step.bytes()),
        bytesInAll,
        chunksSkipped + step.chunksSkipped(),
        report.plus(step));
  }

  /** Returns the finished share of the chunks by their decoded sizes, from 0 to 1. */
  public double share() {
    return chunks == chunksInAll || bytesInAll == 0 ? 1 : (double) bytes / bytesInAll;
  }
}
