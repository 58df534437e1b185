package dev.zarrreactive.internal.codec.blosc;

/**
 * The division of a frame's bytes into blocks, and of blocks into sub-streams.
 *
 * @param nbytes bytes in all, at least 1
 * @param blocksize bytes per block, from 1 to {@code nbytes}; the last block may be shorter
 * @param streams sub-streams per block of full size, each of {@code blocksize / streams} bytes; a
 *     shorter last block has one
 */
record Blocks(int nbytes, int blocksize, int streams) {
  private static final int MOST_STREAMS = 16;
  private static final int SMALLEST_STREAM = 128;

  /**
   * Returns whether blocks of this size may be split into one sub-stream for each byte of an
   * element.
   */
  static boolean splits(int blocksize, int typesize) {
    return typesize <= MOST_STREAMS && blocksize / typesize >= SMALLEST_STREAM;
  }

  /**
   * Returns the blocks of a frame.
   *
   * @throws dev.zarrreactive.error.CodecException for a header whose blocks cannot be divided as it
   *     says
   */
  static Blocks of(BloscHeader header) {
    int typesize = header.typesize();
    int blocksize = header.blocksize();
    boolean split = header.split() && splits(blocksize, typesize);
    if (split && blocksize % typesize != 0) {
      throw BloscHeader.damaged(
          "blocks of " + blocksize + " bytes do not split into streams of " + typesize);
    }
    return new Blocks(header.nbytes(), blocksize, split ? typesize : 1);
  }

  /** Returns the number of blocks. */
  int count() {
    return (nbytes - 1) / blocksize + 1;
  }

  /** Returns the index of the first byte of {@code block}. */
  int start(int block) {
    return block * blocksize;
  }

  /** Returns the number of bytes of {@code block}. */
  int length(int block) {
    return Math.min(blocksize, nbytes - start(block));
  }

  /** Returns the number of sub-streams of {@code block}. */
  int streams(int block) {
    return length(block) == blocksize ? streams : 1;
  }
}
