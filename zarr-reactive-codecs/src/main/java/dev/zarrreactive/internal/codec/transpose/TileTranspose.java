package dev.zarrreactive.internal.codec.transpose;

import dev.zarrreactive.internal.element.StridedCopy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Transposes a matrix that fits in the processor's cache. Items of 1, 2 and 4 bytes are transposed
 * in blocks of 8×8, 4×4 and 2×2, each row of a block being one long. Two longs exchange half of
 * their items by shifts and masks, stage by stage, until each holds a column.
 */
final class TileTranspose {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long EVEN_BYTES = 0x00ff00ff00ff00ffL;
  private static final long EVEN_SHORTS = 0x0000ffff0000ffffL;
  private static final long EVEN_INTS = 0x00000000ffffffffL;

  private TileTranspose() {}

  /**
   * Transposes {@code rows} × {@code columns} items of {@code source} at {@code from} into {@code
   * result} at {@code to}. The strides are the distances of rows, all in bytes.
   */
  static void apply(
      int itemSize,
      byte[] source,
      int from,
      int fromStride,
      byte[] result,
      int to,
      int toStride,
      int rows,
      int columns) {
    int block = itemSize <= 4 && Integer.bitCount(itemSize) == 1 ? Long.BYTES / itemSize : 1;
    int blockRows = rows - rows % block;
    int blockColumns = columns - columns % block;
    if (block == 1) {
      items(itemSize, source, from, fromStride, result, to, toStride, rows, columns);
      return;
    }
    for (int r = 0; r < blockRows; r += block) {
      int p = from + r * fromStride;
      int q = to + r * itemSize;
      switch (itemSize) {
        case 1 -> blocks1(source, p, fromStride, result, q, toStride, blockColumns);
        case 2 -> blocks2(source, p, fromStride, result, q, toStride, blockColumns);
        default -> blocks4(source, p, fromStride, result, q, toStride, blockColumns);
      }
    }
    items(
        itemSize,
        source,
        from + blockColumns * itemSize,
        fromStride,
        result,
        to + blockColumns * toStride,
        toStride,
        blockRows,
        columns - blockColumns);
    items(
        itemSize,
        source,
        from + blockRows * fromStride,
        fromStride,
        result,
        to + blockRows * itemSize,
        toStride,
        rows - blockRows,
        columns);
  }

  private static void blocks4(byte[] s, int p, int fs, byte[] t, int q, int ts, int columns) {
    for (int c = 0; c < columns; c += 2, p += Long.BYTES, q += 2 * ts) {
      long a = (long) LONG.get(s, p);
      long b = (long) LONG.get(s, p + fs);
      LONG.set(t, q, even(a, b, EVEN_INTS, 32));
      LONG.set(t, q + ts, odd(a, b, EVEN_INTS, 32));
    }
  }

  private static void blocks2(byte[] s, int p, int fs, byte[] t, int q, int ts, int columns) {
    for (int c = 0; c < columns; c += 4, p += Long.BYTES, q += 4 * ts) {
      long a = (long) LONG.get(s, p);
      long b = (long) LONG.get(s, p + fs);
      long d = (long) LONG.get(s, p + 2 * fs);
      long e = (long) LONG.get(s, p + 3 * fs);
      shorts(a, b, d, e, t, q, ts);
    }
  }

  private static void blocks1(byte[] s, int p, int fs, byte[] t, int q, int ts, int columns) {
    for (int c = 0; c < columns; c += 8, p += Long.BYTES, q += 8 * ts) {
      long a = (long) LONG.get(s, p);
      long b = (long) LONG.get(s, p + fs);
      long ab = even(a, b, EVEN_BYTES, 8);
      long oddAb = odd(a, b, EVEN_BYTES, 8);
      a = (long) LONG.get(s, p + 2 * fs);
      b = (long) LONG.get(s, p + 3 * fs);
      long cd = even(a, b, EVEN_BYTES, 8);
      long oddCd = odd(a, b, EVEN_BYTES, 8);
      a = (long) LONG.get(s, p + 4 * fs);
      b = (long) LONG.get(s, p + 5 * fs);
      long ef = even(a, b, EVEN_BYTES, 8);
      long oddEf = odd(a, b, EVEN_BYTES, 8);
      a = (long) LONG.get(s, p + 6 * fs);
      b = (long) LONG.get(s, p + 7 * fs);
      long gh = even(a, b, EVEN_BYTES, 8);
      long oddGh = odd(a, b, EVEN_BYTES, 8);
      shorts(ab, cd, ef, gh, t, q, 2 * ts); // pairs of bytes: columns 0, 2, 4, 6
      shorts(oddAb, oddCd, oddEf, oddGh, t, q + ts, 2 * ts);
    }
  }

  /** Transposes four rows of four shorts. */
  private static void shorts(long a, long b, long c, long d, byte[] t, int q, int ts) {
    long ab = even(a, b, EVEN_SHORTS, 16);
    long oddAb = odd(a, b, EVEN_SHORTS, 16);
    long cd = even(c, d, EVEN_SHORTS, 16);
    long oddCd = odd(c, d, EVEN_SHORTS, 16);
    LONG.set(t, q, even(ab, cd, EVEN_INTS, 32));
    LONG.set(t, q + ts, even(oddAb, oddCd, EVEN_INTS, 32));
    LONG.set(t, q + 2 * ts, odd(ab, cd, EVEN_INTS, 32));
    LONG.set(t, q + 3 * ts, odd(oddAb, oddCd, EVEN_INTS, 32));
  }

  /** Returns the items of {@code a} and {@code b} at even places, alternating. */
  private static long even(long a, long b, long mask, int shift) {
    return (a & mask) | ((b & mask) << shift);
  }

  /** Returns the items of {@code a} and {@code b} at odd places, alternating. */
  private static long odd(long a, long b, long mask, int shift) {
    return ((a >>> shift) & mask) | (b & ~mask);
  }

  /** Transposes item by item, along the longer side. */
  private static void items(
      int itemSize, byte[] s, int from, int fs, byte[] t, int to, int ts, int rows, int columns) {
    if (rows >= columns) {
      for (int c = 0; c < columns; c++) {
        StridedCopy.copy(itemSize, s, from + c * itemSize, fs, t, to + c * ts, itemSize, rows);
      }
    } else {
      for (int r = 0; r < rows; r++) {
        StridedCopy.copy(itemSize, s, from + r * fs, itemSize, t, to + r * itemSize, ts, columns);
      }
    }
  }
}
