package dev.zarrreactive.internal.codec.shuffle;

import dev.zarrreactive.internal.codec.compression.Pool;

/**
 * The working memory of a shuffle: rows of words, few enough for the processor's nearest cache, and
 * the steps that both shuffles consist of. A step goes along whole rows in a plain loop, which the
 * compiler turns into vector instructions.
 */
final class WordRows {
  /** The most words in a row. */
  static final int WORDS = 128;

  /** Rows of any content: each use fills its own. */
  static final Pool<WordRows> POOL = Pool.perProcessor(WordRows::new, strip -> {});

  /** Eight groups of eight rows. */
  private final long[][][] groups = new long[8][8][WORDS];

  private final long[][][] columns = new long[8][8][];

  private WordRows() {
    for (int group = 0; group < 8; group++) {
      for (int row = 0; row < 8; row++) {
        columns[row][group] = groups[group][row];
      }
    }
  }

  /** Returns the eight rows of {@code group}. */
  long[][] rows(int group) {
    return groups[group];
  }

  /** Returns row {@code row} of every group. */
  long[][] column(int row) {
    return columns[row];
  }

  /** Fills a row with {@code words} words that begin {@code step} bytes apart. */
  static void load(byte[] in, int from, int step, long[] row, int words) {
    for (int w = 0; w < words; w++) {
      row[w] = LittleEndianWords.getLong(in, from + step * w);
    }
  }

  /** Undoes {@link #load}. */
  static void store(long[] row, int words, byte[] out, int to, int step) {
    for (int w = 0; w < words; w++) {
      LittleEndianWords.putLong(out, to + step * w, row[w]);
    }
  }

  /**
   * Exchanges, word by word, the bits of {@code high} under {@code mask} and the bits of {@code
   * low} that are {@code shift} higher. The step undoes itself.
   */
  static void exchange(long[] low, long[] high, int words, int shift, long mask) {
    for (int w = 0; w < words; w++) {
      long a = low[w];
      long b = high[w];
      long t = ((a >>> shift) ^ b) & mask;
      low[w] = a ^ (t << shift);
      high[w] = b ^ t;
    }
  }

  /** Exchanges bytes, see {@link #exchange}. */
  static void exchange1(long[] low, long[] high, int words) {
    exchange(low, high, words, 8, 0x00FF00FF00FF00FFL);
  }

  /** Exchanges pairs of bytes, see {@link #exchange}. */
  static void exchange2(long[] low, long[] high, int words) {
    exchange(low, high, words, 16, 0x0000FFFF0000FFFFL);
  }

  /** Exchanges halves of words, see {@link #exchange}. */
  static void exchange4(long[] low, long[] high, int words) {
    exchange(low, high, words, 32, 0x00000000FFFFFFFFL);
  }

  /**
   * Exchanges, word by word, byte {@code i} of row {@code k} and byte {@code k} of row {@code i}.
   * The step undoes itself.
   */
  static void transposeBytes(long[][] rows, int words) {
    for (int k = 0; k < 8; k += 2) {
      exchange1(rows[k], rows[k + 1], words);
    }
    for (int k = 0; k < 8; k += 4) {
      exchange2(rows[k], rows[k + 2], words);
      exchange2(rows[k + 1], rows[k + 3], words);
    }
    for (int k = 0; k < 4; k++) {
      exchange4(rows[k], rows[k + 4], words);
    }
  }

  /**
   * Exchanges, byte by byte, bit {@code i} of row {@code k} and bit {@code k} of row {@code i}. The
   * step undoes itself.
   */
  static void transposeBits(long[][] rows, int words) {
    for (int k = 0; k < 8; k += 2) {
      exchange(rows[k], rows[k + 1], words, 1, 0x5555555555555555L);
    }
    for (int k = 0; k < 8; k += 4) {
      exchange(rows[k], rows[k + 2], words, 2, 0x3333333333333333L);
      exchange(rows[k + 1], rows[k + 3], words, 2, 0x3333333333333333L);
    }
    for (int k = 0; k < 4; k++) {
      exchange(rows[k], rows[k + 4], words, 4, 0x0F0F0F0F0F0F0F0FL);
    }
  }
}
