package dev.zarrreactive.chunkgrid;

/** The treatment of stored elements that lie outside of an array after it was made smaller. */
public enum Outside {
  /**
   * Everything stays stored, and an array that grows again shows it. The quickest way: no chunk is
   * requested.
   */
  KEEP,
  /**
   * Chunks that lie outside are erased. Chunks at the new end stay whole: an array that grows again
   * shows their elements.
   */
  ERASE,
  /**
   * Chunks that lie outside are erased, and in chunks at the new end the elements outside become
   * fill value: an array that grows again shows fill value.
   */
  TRIM
}
