package dev.zarrreactive.icechunk;

/**
 * What a commit does with a chunk that another commit has changed, too, since its session began.
 */
public enum ChunkConflicts {
  /** The commit fails, and names the chunks. */
  FAIL,
  /** The chunk of this commit stays. */
  OURS,
  /** The chunk of the other commit stays. */
  THEIRS
}
