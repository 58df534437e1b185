package dev.zarrreactive.internal.codec.shuffle;

/**
 * Bit shuffle: of {@code n} elements, {@code n} divisible by 8, first the lowest bit of each, then
 * the next of each, and so on through the bits of an element in memory. Element {@code i}'s bit is
 * bit {@code i % 8} of byte {@code i / 8} of its row. What is left behind the last whole element
 * stays where it is.
 *
 * <p>Eight rows are the bits of one byte of each element. Their words transposed bit by bit, and
 * the result byte by byte, they are that byte of each element in order: a byte shuffle.
 */
final class BitShuffle {
  private BitShuffle() {}

  /** Shuffles {@code length} bytes. */
  static void shuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int row = length / typesize / 8;
    int done = Strip.POOL.with(strip -> shuffleStrips(strip, typesize, in, from, out, to, row));
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

  /** The inverse of {@link #shuffle}. */
  static void unshuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int row = length / typesize / 8;
    int done = Strip.POOL.with(strip -> unshuffleStrips(strip, typesize, in, from, out, to, row));
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

  /** Returns how many bytes of each row are done; at most seven are left. */
  private static int shuffleStrips(
      Strip strip, int typesize, byte[] in, int from, byte[] out, int to, int row) {
    int width = Elements.width(typesize);
    int most = mostWords(width);
    int at = 0;
    for (int words; (words = Math.min((row - at) / 8, most)) > 0; at += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        int first = Math.min(part, typesize - width);
        for (int k = 0; k < 8; k++) {
          int element = from + 8 * (at + k) * typesize + first;
          Elements.read(typesize, in, element, 64 * typesize, strip.column(k), words);
        }
        for (int j = 0; j < width; j++) {
          long[][] bits = strip.rows(j);
          Strip.transposeBytes(bits, words);
          Strip.transposeBits(bits, words);
          for (int k = 0; k < 8; k++) {
            Strip.store(bits[k], words, out, to + (8 * (first + j) + k) * row + at, 8);
          }
        }
      }
    }
    return at;
  }

  private static int unshuffleStrips(
      Strip strip, int typesize, byte[] in, int from, byte[] out, int to, int row) {
    int width = Elements.width(typesize);
    int most = mostWords(width);
    int at = 0;
    for (int words; (words = Math.min((row - at) / 8, most)) > 0; at += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        int first = Math.min(part, typesize - width);
        for (int j = 0; j < width; j++) {
          long[][] bits = strip.rows(j);
          for (int k = 0; k < 8; k++) {
            Strip.load(in, from + (8 * (first + j) + k) * row + at, 8, bits[k], words);
          }
          Strip.transposeBits(bits, words);
          Strip.transposeBytes(bits, words);
        }
        for (int k = 0; k < 8; k++) {
          int element = to + 8 * (at + k) * typesize + first;
          Elements.write(typesize, strip.column(k), words, out, element, 64 * typesize);
        }
      }
    }
    return at;
  }

  /** Eight groups of full rows would be too much for the nearest cache. */
  private static int mostWords(int width) {
    return width < 8 ? Strip.WORDS : Strip.WORDS / 2;
  }

  /** Bit {@code i} of byte {@code k} changes places with bit {@code k} of byte {@code i}. */
  private static long transposed(long x) {
    long t = (x ^ (x >>> 7)) & 0x00AA00AA00AA00AAL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >>> 14)) & 0x0000CCCC0000CCCCL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >>> 28)) & 0x00000000F0F0F0F0L;
    return x ^ t ^ (t << 28);
  }
}
