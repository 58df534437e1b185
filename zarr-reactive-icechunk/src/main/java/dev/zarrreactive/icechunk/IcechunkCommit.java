package dev.zarrreactive.icechunk;

import dev.zarrreactive.json.JsonObject;

/**
 * What a commit says of itself, and what it does where another commit came in between. Immutable.
 */
public final class IcechunkCommit {
  private final String message;
  private final JsonObject metadata;
  private final ChunkConflicts chunkConflicts;
  private final boolean deletesUpdatedNodes;
  private final boolean isAmendment;

  private IcechunkCommit(
      String message,
      JsonObject metadata,
      ChunkConflicts chunkConflicts,
      boolean deletesUpdatedNodes,
      boolean isAmendment) {
    this.message = message;
    this.metadata = metadata;
    this.chunkConflicts = chunkConflicts;
    this.deletesUpdatedNodes = deletesUpdatedNodes;
    this.isAmendment = isAmendment;
  }

  /** A commit with a message, without metadata, which fails at every conflict. */
  public static IcechunkCommit of(String message) {
    return new IcechunkCommit(message, JsonObject.EMPTY, ChunkConflicts.FAIL, false, false);
  }

  /**
   * A commit that takes the place of the one that the session began at, with the changes of both.
   * The history has it instead of the other one, whose snapshot stays. A session without changes
   * amends the message and the metadata alone. It is never rebased: where the other one is no
   * longer the last of its branch, it is a conflict.
   */
  public static IcechunkCommit amendment(String message) {
    return new IcechunkCommit(message, JsonObject.EMPTY, ChunkConflicts.FAIL, false, true);
  }

  /** With metadata, which the history shows beside the message. */
  public IcechunkCommit withMetadata(JsonObject others) {
    return new IcechunkCommit(message, others, chunkConflicts, deletesUpdatedNodes, isAmendment);
  }

  /** With another choice for a chunk that both commits have changed. */
  public IcechunkCommit withChunkConflicts(ChunkConflicts choice) {
    return new IcechunkCommit(message, metadata, choice, deletesUpdatedNodes, isAmendment);
  }

  /** With deletions that hold also for a node that the other commit has changed. */
  public IcechunkCommit withDeletionOfUpdatedNodes(boolean deletes) {
    return new IcechunkCommit(message, metadata, chunkConflicts, deletes, isAmendment);
  }

  /** Returns the message. */
  public String message() {
    return message;
  }

  /** Returns the metadata. */
  public JsonObject metadata() {
    return metadata;
  }

  /** Returns the choice for a chunk that both commits have changed. */
  public ChunkConflicts chunkConflicts() {
    return chunkConflicts;
  }

  /** Returns true if a node is deleted also where the other commit has changed it. */
  public boolean deletesUpdatedNodes() {
    return deletesUpdatedNodes;
  }

  /** Returns true if the commit takes the place of another one. */
  public boolean isAmendment() {
    return isAmendment;
  }

  @Override
  public String toString() {
    return "IcechunkCommit[\""
        + message
        + "\", chunkConflicts="
        + chunkConflicts
        + ", deletesUpdatedNodes="
        + deletesUpdatedNodes
        + ", isAmendment="
        + isAmendment
        + "]";
  }
}
