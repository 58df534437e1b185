package dev.zarrreactive.copy;

import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.metadata.NodePath;
import java.util.ArrayList;
import java.util.List;

/**
 * The changes and omissions of a copy, as far as they are known; the last progress has all of them.
 *
 * @param changes every change of metadata for the sake of other programs; known from the beginning
 * @param filledChunks the number of chunks that are missing in the source and were stored, because
 *     a missing chunk of the copy would have other values
 * @param foreignFiles the number of keys below the source that belong to no node; {@link #UNKNOWN}
 *     for a source that cannot be listed, or is a hierarchy of a draft
 * @param foreignFilesCopied the number of them that were copied
 * @param consolidated the groups above the copy whose consolidated metadata were renewed
 */
public record CopyReport(
    List<CopyChange> changes,
    long filledChunks,
    long foreignFiles,
    long foreignFilesCopied,
    List<NodePath> consolidated) {
  /** The number of foreign files in a source that cannot be listed. */
  public static final long UNKNOWN = -1;

  /** Creates a report with copies of the lists. */
  public CopyReport {
    changes = List.copyOf(changes);
    consolidated = List.copyOf(consolidated);
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
        groups);
  }
}
