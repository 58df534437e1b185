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

  private IcechunkCommit(
      String message,
      JsonObject metadata,
      ChunkConflicts chunkConflicts,
      boolean deletesUpdatedNodes) {
    this.message = message;
    this.metadata = metadata;
    this.chunkConflicts = chunkConflicts;
    this.deletesUpdatedNodes = deletesUpdatedNodes;
  }

  /** A commit with a message, without metadata, which fails at every conflict. */
  public static IcechunkCommit of(String message) {
    return new IcechunkCommit(message, JsonObject.EMPTY, ChunkConflicts.FAIL, false);
  }

  /** With metadata, which the history shows beside the message. */
  public IcechunkCommit withMetadata(JsonObject others) {
    return new IcechunkCommit(message, others, chunkConflicts, deletesUpdatedNodes);
  }

  /** With another choice for a chunk that both commits have changed. */
  public IcechunkCommit withChunkConflicts(ChunkConflicts choice) {
    return new IcechunkCommit(message, metadata, choice, deletesUpdatedNodes);
  }

  /** With deletions that hold also for a node that the other commit has changed. */
  public IcechunkCommit withDeletionOfUpdatedNodes(boolean deletes) {
    return new IcechunkCommit(message, metadata, chunkConflicts, deletes);
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

  @Override
  public String toString() {
    return "IcechunkCommit[\""
        + message
        + "\", chunkConflicts="
        + chunkConflicts
        + ", deletesUpdatedNodes="
        + deletesUpdatedNodes
        + "]";
  }
}
