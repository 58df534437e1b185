package dev.zarrreactive.chunkgrid;

/** What a resize that makes an array smaller does with the stored elements that it cuts off. */
public enum ShrinkMode {
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
