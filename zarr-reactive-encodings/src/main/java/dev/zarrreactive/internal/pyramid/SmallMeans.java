package dev.zarrreactive.internal.pyramid;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.IntegerType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Means of integers of one or two bytes, row of cells by row of cells, on their images: no copy is
 * as large as the elements. Cells of 2 times 2 bytes are added eight at a time.
 */
final class SmallMeans {
  /** The most elements of a cell whose sum, twice, is an {@code int}. */
  static final int MOST = 1 << 14;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The lower byte of each lane of two bytes, and half of a divisor of 4 in each. */
  private static final long LOWER = 0x00ff00ff00ff00ffL;

  private static final long TWOS = 0x0002000200020002L;

  private final byte[] in;
  private final int inOffset;
  private final byte[] out;
  private final int size;
  private final boolean isSigned;
  private final int length;
  private final int factor;
  private final int[] sums;

  private SmallMeans(
      ElementMemory from, ElementMemory to, IntegerType type, PixelReduction.Cells cells) {
    this.in = (byte[]) from.array();
    this.inOffset = from.slot(0);
    this.out = (byte[]) to.array();
    this.size = type.itemSize();
    this.isSigned = type.signed();
    this.length = cells.length();
    this.factor = cells.factor();
    this.sums = new int[(length + factor - 1) / factor];
  }

  static NdArray of(NdArray elements, IntegerType type, Shape shape, PixelReduction.Cells cells) {
    ElementMemory to = ElementMemory.allocate(type, shape);
    if (cells.count > 0) {
      SmallMeans means = new SmallMeans(ElementMemory.of(elements), to, type, cells);
      cells.forEachCellRow(means::row);
    }
    return to.toNdArray(shape);
  }

  private void row(int[] firsts, int cell) {
    int done = 0;
    if (size == 1 && !isSigned && factor == 2 && firsts.length == 2) {
      done = quarters(inOffset + firsts[0], inOffset + firsts[1], cell);
    }
    Arrays.fill(sums, done, sums.length, 0);
    for (int first : firsts) {
      if (size == 1) {
        addBytes(inOffset + first, done);
      } else {
        addShorts(inOffset + 2 * first, done);
      }
    }
    int whole = length / factor;
    divide(cell, done, whole, firsts.length * factor);
    if (whole < sums.length) {
      divide(cell, whole, sums.length, firsts.length * (length - whole * factor));
    }
  }

  /** Makes four means of two rows of eight unsigned bytes at a time; returns how many. */
  private int quarters(int upper, int lower, int cell) {
    int groups = length / 8;
    for (int g = 0; g < groups; g++) {
      long a = (long) LONGS.get(in, upper + 8 * g);
      long b = (long) LONGS.get(in, lower + 8 * g);
      long sum = (a & LOWER) + (a >>> 8 & LOWER) + (b & LOWER) + (b >>> 8 & LOWER) + TWOS;
      long means = sum >>> 2 & LOWER;
      means = (means | means >>> 8) & 0x0000ffff0000ffffL;
      INTS.set(out, cell + 4 * g, (int) (means | means >>> 16));
    }
    return 4 * groups;
  }

  private void addBytes(int row, int from) {
    int mask = isSigned ? -1 : 0xff;
    int at = row + from * factor;
    int end = row + length;
    if (factor == 2) {
      int pairs = length / 2;
      for (int i = from; i < pairs; i++, at += 2) {
        sums[i] += (in[at] & mask) + (in[at + 1] & mask);
      }
      if (at < end) {
        sums[pairs] += in[at] & mask;
      }
      return;
    }
    for (int i = from; at < end; i++) {
      for (int stop = Math.min(end, at + factor); at < stop; at++) {
        sums[i] += in[at] & mask;
      }
    }
  }

  private void addShorts(int row, int from) {
    int mask = isSigned ? -1 : 0xffff;
    int at = row + 2 * from * factor;
    int end = row + 2 * length;
    for (int i = from; at < end; i++) {
      for (int stop = Math.min(end, at + 2 * factor); at < stop; at += 2) {
        sums[i] += (short) SHORTS.get(in, at) & mask;
      }
    }
  }

  /** Rounds means to the nearest, halves upwards. */
  private void divide(int cell, int from, int to, int count) {
    boolean isShift = Integer.bitCount(count) == 1;
    int shift = Integer.numberOfTrailingZeros(count) + 1;
    for (int i = from; i < to; i++) {
      int twice = 2 * sums[i] + count;
      int mean = isShift ? twice >> shift : Math.floorDiv(twice, 2 * count);
      if (size == 1) {
        out[cell + i] = (byte) mean;
      } else {
        SHORTS.set(out, 2 * (cell + i), (short) mean);
      }
    }
  }
}
