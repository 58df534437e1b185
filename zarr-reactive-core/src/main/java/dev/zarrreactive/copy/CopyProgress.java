package dev.zarrreactive.copy;

import dev.zarrreactive.metadata.NodePath;

/**
 * How far a copy is.
 *
 * @param node the destination's path of the node that was worked on last
 * @param nodes how many nodes are done with
 * @param nodesInAll how many there are
 * @param chunks how many chunks of the destination are done with: stored, found to be missing in
 *     the source, or skipped
 * @param chunksInAll how many there are; {@link Long#MAX_VALUE} where there are more
 * @param chunksSkipped how many of {@code chunks} were there already
 * @param report what the copy changes and leaves out
 */
public record CopyProgress(
    NodePath node,
    int nodes,
    int nodesInAll,
    long chunks,
    long chunksInAll,
    long chunksSkipped,
    CopyReport report) {

  /**
   * A part of the work that is done.
   *
   * @param filled chunks that are missing in the source, and stored in the copy
   * @param foreign keys of the source that belong to no node; {@link CopyReport#UNKNOWN} where they
   *     cannot be counted
   */
  record Step(
      NodePath node,
      int nodes,
      long chunks,
      long chunksSkipped,
      long filled,
      long foreign,
      long foreignCopied) {
    static Step ofChunks(NodePath node, long chunks, long skipped, long filled) {
      return new Step(node, 0, chunks, skipped, filled, 0, 0);
    }

    static Step ofNode(NodePath node) {
      return new Step(node, 1, 0, 0, 0, 0, 0);
    }

    static Step ofForeign(NodePath node, long found, long copied) {
      return new Step(node, 0, 0, 0, 0, found, copied);
    }
  }

  CopyProgress plus(Step step) {
    return new CopyProgress(
        step.node(),
        nodes + step.nodes(),
        nodesInAll,
        chunks + step.chunks(),
        chunksInAll,
        chunksSkipped + step.chunksSkipped(),
        report.plus(step));
  }

  /** The share of the chunks that is done with, from 0 to 1. */
  public double share() {
    return chunksInAll == 0 ? 1 : (double) chunks / chunksInAll;
  }
}
