package dev.zarrreactive.copy;

/** The policy of a copy, or of an {@link ArrayFilling}, for a destination that exists. */
public enum IfExists {
  /**
   * Refuses it: {@link dev.zarrreactive.error.NodeExistsException}. The destination stays
   * untouched.
   */
  REFUSE,

  /**
   * Resumes a copy that was interrupted: stored chunks are skipped. Nodes in the destination must
   * equal those of this copy, otherwise the copy is refused. Whether stored chunks equal the
   * source's present chunks is not checked.
   */
  RESUME,

  /**
   * Erases the node and everything below it first. A destination with files of other programs and
   * no node is refused.
   */
  OVERWRITE
}
