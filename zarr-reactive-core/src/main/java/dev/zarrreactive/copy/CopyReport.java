package dev.zarrreactive.copy;

import dev.zarrreactive.copy.CopyProgress.Step;
import java.util.List;

/**
 * What a copy changes and what it leaves out, as far as it is known at a time; the last progress
 * has all of it.
 *
 * @param changes every change of metadata that is there for other programs; known from the
 *     beginning
 * @param filledChunks how many chunks that are missing in the source were stored, for in the copy a
 *     missing chunk would have other values
 * @param foreignFiles how many keys below the source belong to no node of it; {@link #UNKNOWN}
 *     where the source cannot be listed, or may not be, or is a hierarchy of a draft
 * @param foreignFilesCopied how many of them were copied
 */
public record CopyReport(
    List<CopyChange> changes, long filledChunks, long foreignFiles, long foreignFilesCopied) {
  /** The number of foreign files where the source cannot list them. */
  public static final long UNKNOWN = -1;

  /** A copy of {@code changes}. */
  public CopyReport {
    changes = List.copyOf(changes);
  }

  CopyReport plus(Step step) {
    long foreign =
        foreignFiles == UNKNOWN || step.foreign() == UNKNOWN
            ? UNKNOWN
            : foreignFiles + step.foreign();
    return new CopyReport(
        changes, filledChunks + step.filled(), foreign, foreignFilesCopied + step.foreignCopied());
  }
}
