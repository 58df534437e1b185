package dev.zarrreactive.internal.codec.blosc;

/**
 * How a frame's bytes are divided into blocks, and those into sub-streams.
 *
 * @param nbytes bytes in all, at least 1
 * @param blocksize bytes per block, from 1 to {@code nbytes}; the last block may be shorter
 * @param streams sub-streams per block of full size, each of {@code blocksize / streams} bytes; a
 *     shorter last block has one
 */
record Blocks(int nbytes, int blocksize, int streams) {
  private static final int MOST_STREAMS = 16;
  private static final int SMALLEST_STREAM = 128;

  /** True where blocks of this size may be split into a sub-stream per byte of an element. */
  static boolean splits(int blocksize, int typesize) {
    return typesize <= MOST_STREAMS && blocksize / typesize >= SMALLEST_STREAM;
  }

  /**
   * The blocks of a frame.
   *
   * @throws dev.zarrreactive.error.CodecException where its blocks cannot be divided as it says
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

  /** The number of blocks. */
  int count() {
    return (nbytes - 1) / blocksize + 1;
  }

  /** Where the bytes of {@code block} begin. */
  int start(int block) {
    return block * blocksize;
  }

  /** The number of bytes of {@code block}. */
  int length(int block) {
    return Math.min(blocksize, nbytes - start(block));
  }

  /** The number of sub-streams of {@code block}. */
  int streams(int block) {
    return length(block) == blocksize ? streams : 1;
  }
}
