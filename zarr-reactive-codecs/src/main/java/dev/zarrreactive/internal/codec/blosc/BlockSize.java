package dev.zarrreactive.internal.codec.blosc;

/** The size of the blocks that this library writes: about that of other writers. */
final class BlockSize {
  private static final int KIB = 1 << 10;

  /** By level, for compressors that look back a short way: a block fits into a small cache. */
  private static final int[] FAST = {8, 16, 32, 64, 128, 128, 256, 256, 256, 256};

  /** By level, for compressors that gain from long blocks. */
  private static final int[] STRONG = {16, 32, 64, 128, 256, 256, 512, 512, 512, 1024};

  private static final int MOST_PER_STREAM = 256 * KIB;
  private static final int LEAST_SPLIT = 64 * KIB;
  private static final int MOST_SPLIT = 1024 * KIB;

  /** Smaller blocks cost more in headers than they gain. */
  private static final int LEAST = 128;

  /** Larger blocks are refused by other readers. */
  private static final int MOST = 512 << 20;

  private BlockSize() {}

  /**
   * Returns the size of the blocks of {@code nbytes} bytes: from 1 to {@code nbytes}, and a
   * multiple of the typesize unless that is larger.
   */
  static int of(BloscConfiguration blosc, int nbytes) {
    int wanted = blosc.blocksize() == 0 ? automatic(blosc) : blosc.blocksize();
    int size = Math.min(Math.min(Math.max(wanted, LEAST), MOST), nbytes);
    return size > blosc.typesize() ? size - size % blosc.typesize() : size;
  }

  private static int automatic(BloscConfiguration blosc) {
    boolean fast =
        switch (blosc.compressor()) {
          case BLOSCLZ, LZ4, SNAPPY -> true;
          case LZ4HC, ZLIB, ZSTD -> false;
        };
    int size = (fast ? FAST : STRONG)[blosc.level()] * KIB;
    if (!splits(blosc.compressor())) {
      return size;
    }
    int split = Math.min(size, MOST_PER_STREAM) * blosc.typesize();
    split = Math.min(Math.max(split, LEAST_SPLIT), MOST_SPLIT);
    return Blocks.splits(split, blosc.typesize()) ? split : size;
  }

  /**
   * Returns whether blocks are split, which helps every compressor but the one that finds the same
   * by itself.
   */
  static boolean splits(Compressor compressor) {
    return compressor != Compressor.ZSTD;
  }
}
