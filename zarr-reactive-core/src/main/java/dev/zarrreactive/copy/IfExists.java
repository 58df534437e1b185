package dev.zarrreactive.copy;

/** What a copy does where its destination is there already. */
public enum IfExists {
  /** Nothing is touched: {@link dev.zarrreactive.error.NodeExistsException}. */
  REFUSE,

  /**
   * A copy that was broken off goes on: chunks that are stored are not copied again. What is there
   * must be what this copy would make, or it is refused; that the stored chunks hold what the
   * source holds now is not looked at.
   */
  RESUME,

  /**
   * The node, and everything below it, is erased first. Where there is no node but something else,
   * such as files of another program, that is refused still.
   */
  OVERWRITE
}
