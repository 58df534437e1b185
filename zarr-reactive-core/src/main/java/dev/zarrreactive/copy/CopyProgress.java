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
 */
public record CopyProgress(
    NodePath node, int nodes, int nodesInAll, long chunks, long chunksInAll, long chunksSkipped) {

  /** A part of the work that is done. */
  record Step(NodePath node, int nodes, long chunks, long chunksSkipped) {}

  CopyProgress plus(Step step) {
    return new CopyProgress(
        step.node(),
        nodes + step.nodes(),
        nodesInAll,
        chunks + step.chunks(),
        chunksInAll,
        chunksSkipped + step.chunksSkipped());
  }

  /** The share of the chunks that is done with, from 0 to 1. */
  public double share() {
    return chunksInAll == 0 ? 1 : (double) chunks / chunksInAll;
  }
}
