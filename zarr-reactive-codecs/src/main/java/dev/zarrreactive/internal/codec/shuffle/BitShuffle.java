package dev.zarrreactive.internal.codec.shuffle;

/**
 * Shuffles bits: of {@code n} elements, {@code n} divisible by 8, first the lowest bit of each,
 * then the next of each, and so on through the bits of an element in memory. Element {@code i}'s
 * bit is bit {@code i % 8} of byte {@code i / 8} of its row. Bytes behind the last whole element
 * stay in place.
 *
 * <p>Eight rows are the bits of one byte of each element. With their words transposed bit by bit,
 * and the result byte by byte, they are that byte of each element in order: a byte shuffle.
 */
final class BitShuffle {
  private BitShuffle() {}

  /** Shuffles {@code length} bytes. */
  static void shuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int row = length / typesize / 8;
    int done = WordRows.POOL.with(strip -> shuffleStrips(strip, typesize, in, from, out, to, row));
    for (int at = done; at < row; at++) {
      for (int j = 0; j < typesize; j++) {
        long eight = 0;
        for (int k = 0; k < 8; k++) {
          eight |= (in[from + (8 * at + k) * typesize + j] & 0xffL) << (8 * k);
        }
        eight = transposed(eight);
        for (int k = 0; k < 8; k++) {
          out[to + (8 * j + k) * row + at] = (byte) (eight >>> (8 * k));
        }
      }
    }
    int whole = 8 * row * typesize;
    System.arraycopy(in, from + whole, out, to + whole, length - whole);
  }

  /** Undoes {@link #shuffle}. */
  static void unshuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int row = length / typesize / 8;
    int done =
        WordRows.POOL.with(strip -> unshuffleStrips(strip, typesize, in, from, out, to, row));
    for (int at = done; at < row; at++) {
      for (int j = 0; j < typesize; j++) {
        long eight = 0;
        for (int k = 0; k < 8; k++) {
          eight |= (in[from + (8 * j + k) * row + at] & 0xffL) << (8 * k);
        }
        eight = transposed(eight);
        for (int k = 0; k < 8; k++) {
          out[to + (8 * at + k) * typesize + j] = (byte) (eight >>> (8 * k));
        }
      }
    }
    int whole = 8 * row * typesize;
    System.arraycopy(in, from + whole, out, to + whole, length - whole);
  }

  /**
   * Shuffles whole words, and returns the number of bytes done in each row; at most seven are left.
   */
  private static int shuffleStrips(
      WordRows strip, int typesize, byte[] in, int from, byte[] out, int to, int row) {
    int width = ElementRows.width(typesize);
    int most = mostWords(width);
    int at = 0;
    for (int words; (words = Math.min((row - at) / 8, most)) > 0; at += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        int first = Math.min(part, typesize - width);
        for (int k = 0; k < 8; k++) {
          int element = from + 8 * (at + k) * typesize + first;
          ElementRows.read(typesize, in, element, 64 * typesize, strip.column(k), words);
        }
        for (int j = 0; j < width; j++) {
          long[][] bits = strip.rows(j);
          WordRows.transposeBytes(bits, words);
          WordRows.transposeBits(bits, words);
          for (int k = 0; k < 8; k++) {
            WordRows.store(bits[k], words, out, to + (8 * (first + j) + k) * row + at, 8);
          }
        }
      }
    }
    return at;
  }

  private static int unshuffleStrips(
      WordRows strip, int typesize, byte[] in, int from, byte[] out, int to, int row) {
    int width = ElementRows.width(typesize);
    int most = mostWords(width);
    int at = 0;
    for (int words; (words = Math.min((row - at) / 8, most)) > 0; at += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        int first = Math.min(part, typesize - width);
        for (int j = 0; j < width; j++) {
          long[][] bits = strip.rows(j);
          for (int k = 0; k < 8; k++) {
            WordRows.load(in, from + (8 * (first + j) + k) * row + at, 8, bits[k], words);
          }
          WordRows.transposeBits(bits, words);
          WordRows.transposeBytes(bits, words);
        }
        for (int k = 0; k < 8; k++) {
          int element = to + 8 * (at + k) * typesize + first;
          ElementRows.write(typesize, strip.column(k), words, out, element, 64 * typesize);
        }
      }
    }
    return at;
  }

  /** Returns the most words of a row: eight groups of full rows would exceed the nearest cache. */
  private static int mostWords(int width) {
    return width < 8 ? WordRows.WORDS : WordRows.WORDS / 2;
  }

  /** Exchanges bit {@code i} of byte {@code k} and bit {@code k} of byte {@code i}. */
  private static long transposed(long x) {
    long t = (x ^ (x >>> 7)) & 0x00AA00AA00AA00AAL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
    return x ^ t ^ (t << 28);
  }
}
