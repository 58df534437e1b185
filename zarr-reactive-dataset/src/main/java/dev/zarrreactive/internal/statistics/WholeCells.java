package dev.zarrreactive.internal.statistics;

import dev.zarrreactive.cf.LinearDecoding;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Statistics of values that are one formula of stored integers of up to 16 bits. They are those of
 * the integers, which need no decoding and are exact, until the end of a chunk.
 */
final class WholeCells {
  /** The bits of a sum below a count: 2^22 integers of 16 bits and a sign are less than 2^39. */
  private static final int SUM_BITS = 40;

  private static final long ONE = 1L << SUM_BITS;
  private static final int MOST_MEMBERS = 1 << 22;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final LinearDecoding decoding;
  private final int none;
  private final int mask;
  private final boolean isBytes;
  private final byte[] wide;
  private final boolean hasMore;
  private final long[] sums; // a count above a sum
  private final long[] squares;
  private final int[] least;
  private final int[] greatest;

  WholeCells(LinearDecoding decoding, Accumulated wanted, int cells, int rowLength) {
    this.decoding = decoding;
    long missing = decoding.missing().orElse(Integer.MIN_VALUE);
    this.none = missing == (int) missing ? (int) missing : Integer.MIN_VALUE;
    this.isBytes = decoding.stored().itemSize() == 1;
    boolean isUnsigned = decoding.stored().name().startsWith("u");
    this.mask = isUnsigned ? isBytes ? 0xff : 0xffff : -1;
    this.wide = new byte[isBytes ? rowLength * Short.BYTES : 0];
    this.hasMore = wanted.squares() || wanted.extremes();
    this.sums = new long[cells];
    this.squares = new long[hasMore ? cells : 0];
    this.least = new int[hasMore ? cells : 0];
    this.greatest = new int[hasMore ? cells : 0];
    Arrays.fill(least, Integer.MAX_VALUE);
    Arrays.fill(greatest, Integer.MIN_VALUE);
  }

  /** Returns true for a chunk whose sums fit beside their counts, and whose values are finite. */
  static boolean fit(LinearDecoding decoding, long elements) {
    double most = Math.abs(decoding.scale()) * MOST_MEMBERS + Math.abs(decoding.offset());
    return elements <= MOST_MEMBERS && most * (1 << Short.SIZE) < Double.MAX_VALUE;
  }

  /** Adds a row of the chunk; each of its elements belongs to a cell of its own. */
  void addKept(byte[] stored, int at, int count, int cell) {
    byte[] row = isBytes ? widened(stored, at, count) : stored;
    int from = isBytes ? 0 : at;
    if (hasMore) {
      addAll(row, from, count, cell);
    } else {
      addSums(row, from, count, cell);
    }
  }

  private byte[] widened(byte[] stored, int at, int count) {
    for (int i = 0; i < count; i++) {
      SHORTS.set(wide, i * Short.BYTES, (short) (stored[at + i] & mask));
    }
    return wide;
  }

  private void addSums(byte[] row, int at, int count, int cell) {
    long[] sums = this.sums;
    int mask = this.mask;
    int none = this.none;
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(row, at + i * Short.BYTES) & mask;
      sums[cell + i] += value == none ? 0 : ONE + value;
    }
  }

  /**
   * Adds to all statistics; missing values are rare, or stand together, so they are jumped over.
   */
  private void addAll(byte[] row, int at, int count, int cell) {
    long[] sums = this.sums;
    long[] squares = this.squares;
    int[] least = this.least;
    int[] greatest = this.greatest;
    int mask = this.mask;
    int none = this.none;
    for (int i = 0; i < count; i++) {
      int value = (short) SHORTS.get(row, at + i * Short.BYTES) & mask;
      if (value != none) {
        int to = cell + i;
        sums[to] += ONE + value;
        squares[to] += (long) value * value;
        least[to] = Math.min(least[to], value);
        greatest[to] = Math.max(greatest[to], value);
      }
    }
  }

  /** Adds a row of the chunk, all of whose elements belong to one cell. */
  void addReduced(byte[] stored, int at, int count, int cell) {
    byte[] row = isBytes ? widened(stored, at, count) : stored;
    int from = isBytes ? 0 : at;
    int mask = this.mask;
    int none = this.none;
    long sum = 0;
    long square = 0;
    int low = Integer.MAX_VALUE;
    int high = Integer.MIN_VALUE;
    if (hasMore) {
      for (int i = 0; i < count; i++) {
        int value = (short) SHORTS.get(row, from + i * Short.BYTES) & mask;
        if (value != none) {
          sum += ONE + value;
          square += (long) value * value;
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
      squares[cell] += square;
      least[cell] = Math.min(least[cell], low);
      greatest[cell] = Math.max(greatest[cell], high);
    } else {
      for (int i = 0; i < count; i++) {
        int value = (short) SHORTS.get(row, from + i * Short.BYTES) & mask;
        sum += value == none ? 0 : ONE + value;
      }
    }
    sums[cell] += sum;
  }

  /** Writes the statistics of the values to those of the chunk. */
  void finish(ChunkStatistics chunk) {
    double scale = decoding.scale();
    for (int cell = 0; cell < sums.length; cell++) {
      long sum = sums[cell] << (Long.SIZE - SUM_BITS) >> (Long.SIZE - SUM_BITS);
      int count = (int) ((sums[cell] - sum) >> SUM_BITS);
      chunk.counts[cell] = count;
      if (count == 0) {
        continue;
      }
      if (chunk.sums.length > 0) {
        chunk.sums[cell] = sum * scale + count * decoding.offset();
      }
      if (chunk.squares.length > 0) {
        chunk.squares[cell] = apart(count, sum, squares[cell]) * scale * scale;
      }
      if (chunk.least.length > 0) {
        double one = decoding.value(least[cell]);
        double other = decoding.value(greatest[cell]);
        chunk.least[cell] = Math.min(one, other);
        chunk.greatest[cell] = Math.max(one, other);
      }
    }
  }

  /** Returns the sum of the squares of the distances from the mean, of exact integers. */
  private static double apart(long count, long sum, long squares) {
    long high = Math.multiplyHigh(count, squares) - Math.multiplyHigh(sum, sum);
    long one = count * squares;
    long other = sum * sum;
    long low = one - other;
    high -= Long.compareUnsigned(one, other) < 0 ? 1 : 0;
    double unsigned = (low >>> 1) * 2.0 + (low & 1);
    return (high * 0x1p64 + unsigned) / count;
  }
}
