package dev.zarrreactive.internal.codec.zfp;

/**
 * The transforms of four numbers in a row, in arithmetic that wraps around at 32 or 64 bits. One
 * pair nearly decorrelates them and loses the last bits; the other one, differences, is exact.
 */
enum Lifting {
  OF_32_BITS {
    @Override
    void forward(long[] p, int at, int step) {
      int x = (int) p[at];
      int y = (int) p[at + step];
      int z = (int) p[at + 2 * step];
      int w = (int) p[at + 3 * step];
      x += w;
      x >>= 1;
      w -= x;
      z += y;
      z >>= 1;
      y -= z;
      x += z;
      x >>= 1;
      z -= x;
      w += y;
      w >>= 1;
      y -= w;
      w += y >> 1;
      y -= w >> 1;
      put(p, at, step, x, y, z, w);
    }

    @Override
    void inverse(long[] p, int at, int step) {
      int x = (int) p[at];
      int y = (int) p[at + step];
      int z = (int) p[at + 2 * step];
      int w = (int) p[at + 3 * step];
      y += w >> 1;
      w -= y >> 1;
      y += w;
      w -= y - w;
      z += x;
      x -= z - x;
      y += z;
      z -= y - z;
      w += x;
      x -= w - x;
      put(p, at, step, x, y, z, w);
    }

    @Override
    long wrapped(long number) {
      return (int) number;
    }
  },

  OF_64_BITS {
    @Override
    void forward(long[] p, int at, int step) {
      long x = p[at];
      long y = p[at + step];
      long z = p[at + 2 * step];
      long w = p[at + 3 * step];
      x += w;
      x >>= 1;
      w -= x;
      z += y;
      z >>= 1;
      y -= z;
      x += z;
      x >>= 1;
      z -= x;
      w += y;
      w >>= 1;
      y -= w;
      w += y >> 1;
      y -= w >> 1;
      put(p, at, step, x, y, z, w);
    }

    @Override
    void inverse(long[] p, int at, int step) {
      long x = p[at];
      long y = p[at + step];
      long z = p[at + 2 * step];
      long w = p[at + 3 * step];
      y += w >> 1;
      w -= y >> 1;
      y += w;
      w -= y - w;
      z += x;
      x -= z - x;
      y += z;
      z -= y - z;
      w += x;
      x -= w - x;
      put(p, at, step, x, y, z, w);
    }

    @Override
    long wrapped(long number) {
      return number;
    }
  };

  abstract void forward(long[] p, int at, int step);

  abstract void inverse(long[] p, int at, int step);

  /**
   * Returns what is left of a sum or a product in this arithmetic, whose bits are its last ones.
   */
  abstract long wrapped(long number);

  /** Replaces the numbers by the first one and their first, second and third differences. */
  final void differences(long[] p, int at, int step) {
    long x = p[at];
    long y = p[at + step];
    long z = p[at + 2 * step];
    long w = p[at + 3 * step];
    putWrapped(p, at, step, x, y - x, z - 2 * y + x, w - 3 * z + 3 * y - x);
  }

  /** Undoes {@link #differences}. */
  final void sums(long[] p, int at, int step) {
    long x = p[at];
    long y = p[at + step];
    long z = p[at + 2 * step];
    long w = p[at + 3 * step];
    putWrapped(p, at, step, x, x + y, x + 2 * y + z, x + 3 * (y + z) + w);
  }

  private void putWrapped(long[] p, int at, int step, long x, long y, long z, long w) {
    put(p, at, step, wrapped(x), wrapped(y), wrapped(z), wrapped(w));
  }

  private static void put(long[] p, int at, int step, long x, long y, long z, long w) {
    p[at] = x;
    p[at + step] = y;
    p[at + 2 * step] = z;
    p[at + 3 * step] = w;
  }

  /** A transform of four numbers that lie {@code step} apart. */
  @FunctionalInterface
  interface Transform {
    void apply(long[] p, int at, int step);
  }

  /** Applies a transform along the dimension whose neighbours lie {@code step} apart. */
  static void along(int step, long[] block, int size, Transform transform) {
    for (int upper = 0; upper < size; upper += 4 * step) {
      for (int at = upper; at < upper + step; at++) {
        transform.apply(block, at, step);
      }
    }
  }
}
