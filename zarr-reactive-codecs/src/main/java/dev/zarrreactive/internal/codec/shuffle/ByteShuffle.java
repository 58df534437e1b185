package dev.zarrreactive.internal.codec.shuffle;

/**
 * Shuffles bytes: of {@code n} elements, first the first byte of each, then the second of each, and
 * so on. Bytes behind the last whole element stay in place.
 */
public final class ByteShuffle {
  private ByteShuffle() {}

  /** Shuffles {@code length} bytes. */
  public static void shuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int n = length / typesize;
    int done =
        WordRows.POOL.with(strip -> shuffleStrips(strip.rows(0), typesize, in, from, out, to, n));
    for (int j = 0; j < typesize; j++) {
      for (int i = done; i < n; i++) {
        out[to + j * n + i] = in[from + i * typesize + j];
      }
    }
    System.arraycopy(in, from + n * typesize, out, to + n * typesize, length - n * typesize);
  }

  /** Undoes {@link #shuffle}. */
  public static void unshuffle(int typesize, byte[] in, int from, byte[] out, int to, int length) {
    int n = length / typesize;
    int done =
        WordRows.POOL.with(strip -> unshuffleStrips(strip.rows(0), typesize, in, from, out, to, n));
    for (int j = 0; j < typesize; j++) {
      for (int i = done; i < n; i++) {
        out[to + i * typesize + j] = in[from + j * n + i];
      }
    }
    System.arraycopy(in, from + n * typesize, out, to + n * typesize, length - n * typesize);
  }

  /** Shuffles whole words, and returns the number of elements done; at most seven are left. */
  private static int shuffleStrips(
      long[][] rows, int typesize, byte[] in, int from, byte[] out, int to, int n) {
    int width = ElementRows.width(typesize);
    int i = 0;
    for (int words; (words = Math.min((n - i) / 8, WordRows.WORDS)) > 0; i += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        // the last part may overlap the one before it
        int first = Math.min(part, typesize - width);
        ElementRows.read(typesize, in, from + i * typesize + first, 8 * typesize, rows, words);
        for (int j = 0; j < width; j++) {
          WordRows.store(rows[j], words, out, to + (first + j) * n + i, 8);
        }
      }
    }
    return i;
  }

  private static int unshuffleStrips(
      long[][] rows, int typesize, byte[] in, int from, byte[] out, int to, int n) {
    int width = ElementRows.width(typesize);
    int i = 0;
    for (int words; (words = Math.min((n - i) / 8, WordRows.WORDS)) > 0; i += 8 * words) {
      for (int part = 0; part < typesize; part += width) {
        int first = Math.min(part, typesize - width);
        for (int j = 0; j < width; j++) {
          WordRows.load(in, from + (first + j) * n + i, 8, rows[j], words);
        }
        ElementRows.write(typesize, rows, words, out, to + i * typesize + first, 8 * typesize);
      }
    }
    return i;
  }
}
