package dev.zarrreactive.copy;

import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The changes and omissions of a copy, as far as they are known; the last progress has all of them.
 *
 * @param changes every change of metadata for the sake of other programs; known from the beginning
 * @param filledChunks the number of chunks that are missing in the source and were stored, because
 *     a missing chunk of the copy would have other values
 * @param foreignFiles the number of keys below the source that belong to no node; {@link #UNKNOWN}
 *     for a source that cannot be listed, or is a hierarchy of a draft
 * @param foreignFilesCopied the number of them that were copied
 * @param unlistedNodes nodes below the source that no group lists, at most {@link
 *     #MOST_UNLISTED_NODES}, such as one below an array; their files are among the foreign ones,
 *     and were not copied
 * @param consolidated the groups above the copy whose consolidated metadata were renewed
 */
public record CopyReport(
    List<CopyChange> changes,
    long filledChunks,
    long foreignFiles,
    long foreignFilesCopied,
    List<NodePath> unlistedNodes,
    List<NodePath> consolidated) {
  /** The number of foreign files in a source that cannot be listed. */
  public static final long UNKNOWN = -1;

  /** The largest number of nodes that no group lists. */
  public static final int MOST_UNLISTED_NODES = 10;

  /** Creates a report with copies of the lists. */
  public CopyReport {
    changes = List.copyOf(changes);
    unlistedNodes = List.copyOf(unlistedNodes);
    consolidated = List.copyOf(consolidated);
  }

  /** Creates a report of a source in which groups list every node. */
  public CopyReport(
      List<CopyChange> changes,
      long filledChunks,
      long foreignFiles,
      long foreignFilesCopied,
      List<NodePath> consolidated) {
    this(changes, filledChunks, foreignFiles, foreignFilesCopied, List.of(), consolidated);
  }

  CopyReport plus(Step step) {
    long foreign =
        foreignFiles == UNKNOWN || step.foreign() == UNKNOWN
            ? UNKNOWN
            : foreignFiles + step.foreign();
    List<NodePath> groups = consolidated;
    if (step.consolidated()) {
      groups = new ArrayList<>(consolidated);
      groups.add(step.node());
    }
    return new CopyReport(
        changes,
        filledChunks + step.filled(),
        foreign,
        foreignFilesCopied + step.foreignCopied(),
        step.unlisted().isEmpty() ? unlistedNodes : joined(unlistedNodes, step.unlisted()),
        groups);
  }

  private static List<NodePath> joined(List<NodePath> some, List<NodePath> others) {
    return Stream.concat(some.stream(), others.stream())
        .distinct()
        .limit(MOST_UNLISTED_NODES)
        .toList();
  }
}
