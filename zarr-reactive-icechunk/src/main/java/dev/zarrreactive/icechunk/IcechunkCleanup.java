package dev.zarrreactive.icechunk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is removed from a repository: old snapshots from its history, and objects that no snapshot
 * needs. Immutable; each {@code with} method returns a changed copy.
 */
public final class IcechunkCleanup {
  private static final IcechunkCleanup NOTHING =
      new IcechunkCleanup(null, null, false, false, false, false);

  private final @Nullable Instant snapshotsBefore;
  private final @Nullable Instant objectsBefore;
  private final boolean deletesBranches;
  private final boolean deletesTags;
  private final boolean takesYoungObjects;
  private final boolean isDryRun;

  private IcechunkCleanup(
      @Nullable Instant snapshotsBefore,
      @Nullable Instant objectsBefore,
      boolean deletesBranches,
      boolean deletesTags,
      boolean takesYoungObjects,
      boolean isDryRun) {
    this.snapshotsBefore = snapshotsBefore;
    this.objectsBefore = objectsBefore;
    this.deletesBranches = deletesBranches;
    this.deletesTags = deletesTags;
    this.takesYoungObjects = takesYoungObjects;
    this.isDryRun = isDryRun;
  }

  /** Removes nothing. */
  public static IcechunkCleanup nothing() {
    return NOTHING;
  }

  /**
   * With snapshots expired that were written before an instant. The first snapshot stays, and so do
   * those that a branch or a tag leads to; the next one that stays comes then from the first one.
   * Their objects stay until they are collected as garbage.
   */
  public IcechunkCleanup withExpiration(Instant before) {
    return new IcechunkCleanup(
        before, objectsBefore, deletesBranches, deletesTags, takesYoungObjects, isDryRun);
  }

  /** With branches deleted that lead to a snapshot before that instant; {@code main} stays. */
  public IcechunkCleanup withExpiredBranches(boolean deletes) {
    return new IcechunkCleanup(
        snapshotsBefore, objectsBefore, deletes, deletesTags, takesYoungObjects, isDryRun);
  }

  /**
   * With tags deleted that lead to a snapshot before that instant; their names are never used
   * again.
   */
  public IcechunkCleanup withExpiredTags(boolean deletes) {
    return new IcechunkCleanup(
        snapshotsBefore, objectsBefore, deletesBranches, deletes, takesYoungObjects, isDryRun);
  }

  /**
   * With objects erased that no snapshot needs, and that were written before an instant. It must be
   * a day ago, since a session stores chunks before its commit refers to them; see {@link
   * #withYoungObjects}.
   */
  public IcechunkCleanup withCollection(Instant before) {
    return new IcechunkCleanup(
        snapshotsBefore, before, deletesBranches, deletesTags, takesYoungObjects, isDryRun);
  }

  /**
   * With a collection also of objects of the last day. Where a session or a fork that has begun
   * before the collection is committed later, its chunks are lost, and reads of them fail.
   */
  public IcechunkCleanup withYoungObjects(boolean takes) {
    return new IcechunkCleanup(
        snapshotsBefore, objectsBefore, deletesBranches, deletesTags, takes, isDryRun);
  }

  /** With nothing removed: only what would be is told. */
  public IcechunkCleanup withDryRun(boolean dryRun) {
    return new IcechunkCleanup(
        snapshotsBefore, objectsBefore, deletesBranches, deletesTags, takesYoungObjects, dryRun);
  }

  /** Returns the instant before which snapshots expire; null where none do. */
  public @Nullable Instant snapshotsBefore() {
    return snapshotsBefore;
  }

  /** Returns the instant before which objects are collected; null where none are. */
  public @Nullable Instant objectsBefore() {
    return objectsBefore;
  }

  /** Returns true if branches are deleted that lead to an expired snapshot. */
  public boolean deletesBranches() {
    return deletesBranches;
  }

  /** Returns true if tags are deleted that lead to an expired snapshot. */
  public boolean deletesTags() {
    return deletesTags;
  }

  /** Returns true if objects of the last day are collected, too. */
  public boolean takesYoungObjects() {
    return takesYoungObjects;
  }

  /** Returns true if nothing is removed. */
  public boolean isDryRun() {
    return isDryRun;
  }

  @Override
  public String toString() {
    return "IcechunkCleanup[snapshotsBefore="
        + snapshotsBefore
        + ", objectsBefore="
        + objectsBefore
        + ", deletesBranches="
        + deletesBranches
        + ", deletesTags="
        + deletesTags
        + ", takesYoungObjects="
        + takesYoungObjects
        + ", isDryRun="
        + isDryRun
        + "]";
  }
}
