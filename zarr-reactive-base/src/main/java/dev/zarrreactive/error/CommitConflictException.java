package dev.zarrreactive.error;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A commit that contradicts another one, which was made since its session began, or changes of a
 * fork that contradict others of its session. Nothing of it is in the repository or the session.
 */
public final class CommitConflictException extends ZarrException {
  private static final long serialVersionUID = 1L;
  private static final int MOST_NAMED = 5;

  private final transient @Nullable List<Conflict> conflicts;

  /** What contradicts what. */
  public enum Kind {
    /** The other commit has moved nodes. */
    NODES_WERE_MOVED("the other commit has moved nodes"),
    /** The branch no longer leads to the snapshot that the session began at. */
    BRANCH_WAS_RESET("the branch was reset, and no longer comes from the snapshot of the session"),
    /** The commit that this one was to take the place of is not the last one of the branch. */
    AMENDED_IS_NOT_LAST("the commit to be amended is no longer the last one of the branch"),
    /** Both have made a node at this path. */
    NODE_EXISTS("both have made a node"),
    /** This one has made a node below an array of the other one. */
    NODE_BELOW_ARRAY("a new node, and the other one has made an array above it"),
    /** One has made a node below a group that the other one has deleted. */
    NODE_BELOW_DELETED_GROUP("a new node below a group that was deleted"),
    /** Both have changed the metadata document. */
    BOTH_CHANGED_METADATA("both have changed the metadata document"),
    /** This one has changed the metadata document of a node that the other one has deleted. */
    METADATA_OF_DELETED_NODE("changed metadata of a node that the other one has deleted"),
    /** This one has changed chunks of an array that the other one has deleted. */
    CHUNKS_OF_DELETED_ARRAY("changed chunks of an array that the other one has deleted"),
    /**
     * This one has changed chunks of an array whose metadata document the other one has changed.
     */
    CHUNKS_OF_CHANGED_ARRAY(
        "changed chunks of an array whose metadata document the other one has changed"),
    /** Both have changed a chunk. */
    BOTH_CHANGED_CHUNK("both have changed the chunk"),
    /** This one has deleted a node that the other one has changed. */
    DELETED_NODE_WAS_CHANGED("a deleted node that the other one has changed");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * One conflict.
   *
   * @param path of the node, such as {@code /a/b}; of the root for the whole repository
   * @param chunk the index of the chunk; null for a conflict of nodes
   * @param snapshot the id of the other commit; for a fork, that of the snapshot both began at
   */
  public record Conflict(Kind kind, String path, @Nullable List<Long> chunk, String snapshot) {
    /** The conflict on one line. */
    @Override
    public String toString() {
      return path
          + (chunk == null
              ? ""
              : ", chunk "
                  + chunk.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")")))
          + ": "
          + kind
          + " (snapshot "
          + snapshot
          + ")";
    }
  }

  /**
   * Creates an error.
   *
   * @param what contradicts what, such as {@code the commit to branch "main" contradicts another}
   * @param conflicts at least one
   * @param help what the user can do
   */
  public CommitConflictException(String what, List<Conflict> conflicts, String help) {
    super(
        what
            + ": "
            + conflicts.stream()
                .limit(MOST_NAMED)
                .map(Conflict::toString)
                .collect(Collectors.joining("; "))
            + (conflicts.size() > MOST_NAMED
                ? "; and " + (conflicts.size() - MOST_NAMED) + " more"
                : "")
            + ". "
            + help,
        place(conflicts.get(0)),
        null);
    this.conflicts = List.copyOf(conflicts);
  }

  private static Location place(Conflict conflict) {
    Location node = Location.ofNode(conflict.path());
    List<Long> chunk = conflict.chunk();
    return chunk == null ? node : node.chunk(chunk.stream().mapToLong(Long::longValue).toArray());
  }

  /** All conflicts; empty for an error that was deserialised. */
  public List<Conflict> conflicts() {
    List<Conflict> all = conflicts;
    return all == null ? List.of() : all;
  }
}
