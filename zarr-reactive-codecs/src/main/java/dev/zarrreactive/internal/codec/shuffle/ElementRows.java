package dev.zarrreactive.internal.codec.shuffle;

/**
 * Copies elements to and from rows. Row {@code j} holds byte {@code j} of each element, or of a
 * part of each element that is up to eight bytes wide. A word holds that byte of eight consecutive
 * elements.
 */
final class ElementRows {
  private ElementRows() {}

  /** Returns the number of rows: the bytes of an element that are treated at once. */
  static int width(int typesize) {
    return Math.min(typesize, 8);
  }

  /**
   * Writes elements from rows, and overwrites the rows.
   *
   * @param rows as many as {@link #width} of the typesize
   * @param words words in each row
   * @param to the index of the first element, or of its part
   * @param step bytes from the first element of a word to the first of the next word
   */
  static void write(int typesize, long[][] rows, int words, byte[] out, int to, int step) {
    switch (width(typesize)) {
      case 1 -> WordRows.store(rows[0], words, out, to, step);
      case 2 -> {
        WordRows.exchange1(rows[0], rows[1], words);
        WordRows.exchange2(rows[0], rows[1], words);
        WordRows.exchange4(rows[0], rows[1], words);
        WordRows.store(rows[0], words, out, to, step);
        WordRows.store(rows[1], words, out, to + 8, step);
      }
      case 4 -> {
        WordRows.exchange1(rows[0], rows[1], words);
        WordRows.exchange1(rows[2], rows[3], words);
        WordRows.exchange2(rows[0], rows[2], words);
        WordRows.exchange2(rows[1], rows[3], words);
        WordRows.exchange4(rows[0], rows[1], words);
        WordRows.exchange4(rows[2], rows[3], words);
        WordRows.store(rows[0], words, out, to, step);
        WordRows.store(rows[2], words, out, to + 8, step);
        WordRows.store(rows[1], words, out, to + 16, step);
        WordRows.store(rows[3], words, out, to + 24, step);
      }
      case 8 -> {
        WordRows.transposeBytes(rows, words);
        for (int k = 0; k < 8; k++) {
          WordRows.store(rows[k], words, out, to + k * typesize, step);
        }
      }
      default -> {
        for (int j = 0; j < typesize; j++) {
          for (int w = 0; w < words; w++) {
            long word = rows[j][w];
            for (int k = 0; k < 8; k++) {
              out[to + step * w + k * typesize + j] = (byte) (word >>> (8 * k));
            }
          }
        }
      }
    }
  }

  /** Undoes {@link #write}. */
  static void read(int typesize, byte[] in, int from, int step, long[][] rows, int words) {
    switch (width(typesize)) {
      case 1 -> WordRows.load(in, from, step, rows[0], words);
      case 2 -> {
        WordRows.load(in, from, step, rows[0], words);
        WordRows.load(in, from + 8, step, rows[1], words);
        WordRows.exchange4(rows[0], rows[1], words);
        WordRows.exchange2(rows[0], rows[1], words);
        WordRows.exchange1(rows[0], rows[1], words);
      }
      case 4 -> {
        WordRows.load(in, from, step, rows[0], words);
        WordRows.load(in, from + 8, step, rows[2], words);
        WordRows.load(in, from + 16, step, rows[1], words);
        WordRows.load(in, from + 24, step, rows[3], words);
        WordRows.exchange4(rows[0], rows[1], words);
        WordRows.exchange4(rows[2], rows[3], words);
        WordRows.exchange2(rows[0], rows[2], words);
        WordRows.exchange2(rows[1], rows[3], words);
        WordRows.exchange1(rows[0], rows[1], words);
        WordRows.exchange1(rows[2], rows[3], words);
      }
      case 8 -> {
        for (int k = 0; k < 8; k++) {
          WordRows.load(in, from + k * typesize, step, rows[k], words);
        }
        WordRows.transposeBytes(rows, words);
      }
      default -> {
        for (int j = 0; j < typesize; j++) {
          for (int w = 0; w < words; w++) {
            long word = 0;
            for (int k = 0; k < 8; k++) {
              word |= (in[from + step * w + k * typesize + j] & 0xffL) << (8 * k);
            }
            rows[j][w] = word;
          }
        }
      }
    }
  }
}
