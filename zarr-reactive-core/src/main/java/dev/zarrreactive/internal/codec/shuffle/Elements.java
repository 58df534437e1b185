package dev.zarrreactive.internal.codec.shuffle;

/**
 * Elements to and from rows. Row {@code j} holds byte {@code j} of each element, or of a part of
 * each element that is up to eight bytes wide; a word holds that byte of eight elements that follow
 * each other.
 */
final class Elements {
  private Elements() {}

  /** How many of its bytes are treated at once: the number of rows. */
  static int width(int typesize) {
    return Math.min(typesize, 8);
  }

  /**
   * Writes elements; uses up the rows.
   *
   * @param rows as many as {@link #width} of the typesize
   * @param words words in each row
   * @param to where the first element, or the part of it, goes
   * @param step bytes from the first element of a word to the first of the next word
   */
  static void write(int typesize, long[][] rows, int words, byte[] out, int to, int step) {
    switch (width(typesize)) {
      case 1 -> Strip.store(rows[0], words, out, to, step);
      case 2 -> {
        Strip.exchange1(rows[0], rows[1], words);
        Strip.exchange2(rows[0], rows[1], words);
        Strip.exchange4(rows[0], rows[1], words);
        Strip.store(rows[0], words, out, to, step);
        Strip.store(rows[1], words, out, to + 8, step);
      }
      case 4 -> {
        Strip.exchange1(rows[0], rows[1], words);
        Strip.exchange1(rows[2], rows[3], words);
        Strip.exchange2(rows[0], rows[2], words);
        Strip.exchange2(rows[1], rows[3], words);
        Strip.exchange4(rows[0], rows[1], words);
        Strip.exchange4(rows[2], rows[3], words);
        Strip.store(rows[0], words, out, to, step);
        Strip.store(rows[2], words, out, to + 8, step);
        Strip.store(rows[1], words, out, to + 16, step);
        Strip.store(rows[3], words, out, to + 24, step);
      }
      case 8 -> {
        Strip.transposeBytes(rows, words);
        for (int k = 0; k < 8; k++) {
          Strip.store(rows[k], words, out, to + k * typesize, step);
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

  /** The inverse of {@link #write}. */
  static void read(int typesize, byte[] in, int from, int step, long[][] rows, int words) {
    switch (width(typesize)) {
      case 1 -> Strip.load(in, from, step, rows[0], words);
      case 2 -> {
        Strip.load(in, from, step, rows[0], words);
        Strip.load(in, from + 8, step, rows[1], words);
        Strip.exchange4(rows[0], rows[1], words);
        Strip.exchange2(rows[0], rows[1], words);
        Strip.exchange1(rows[0], rows[1], words);
      }
      case 4 -> {
        Strip.load(in, from, step, rows[0], words);
        Strip.load(in, from + 8, step, rows[2], words);
        Strip.load(in, from + 16, step, rows[1], words);
        Strip.load(in, from + 24, step, rows[3], words);
        Strip.exchange4(rows[0], rows[1], words);
        Strip.exchange4(rows[2], rows[3], words);
        Strip.exchange2(rows[0], rows[2], words);
        Strip.exchange2(rows[1], rows[3], words);
        Strip.exchange1(rows[0], rows[1], words);
        Strip.exchange1(rows[2], rows[3], words);
      }
      case 8 -> {
        for (int k = 0; k < 8; k++) {
          Strip.load(in, from + k * typesize, step, rows[k], words);
        }
        Strip.transposeBytes(rows, words);
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
