package dev.zarrreactive.cf;

import dev.zarrreactive.datatype.DataType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The decoded image of every stored one, of elements of 8 and 16 bits: a look-up takes less time
 * than the arithmetic, whatever rules apply. It is 512 KiB at the most, and what is looked up of it
 * stays in the processor's cache where neighbours are alike.
 */
final class DecodingTable implements DecodingLoops.Loop {
  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  private final boolean isOfBytes;
  private final int[] ints;
  private final long[] longs;

  private DecodingTable(boolean isOfBytes, int[] ints, long[] longs) {
    this.isOfBytes = isOfBytes;
    this.ints = ints;
    this.longs = longs;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns true for elements that a table can have. */
  static boolean fits(DataType stored, DataType decoded) {
    return stored.itemSize() <= Short.BYTES
        && (decoded.itemSize() == Integer.BYTES || decoded.itemSize() == Long.BYTES);
  }

  /** Decodes all images once. */
  static DecodingTable of(NumberDecoding decoding) {
    int size = decoding.stored().itemSize();
    int count = 1 << (size * Byte.SIZE);
    byte[] stored = new byte[count * size];
    for (int i = 0; i < count; i++) {
      if (size == Byte.BYTES) {
        stored[i] = (byte) i;
      } else {
        SHORTS.set(stored, i * Short.BYTES, (short) i);
      }
    }
    int each = decoding.decoded().itemSize();
    byte[] decoded = new byte[count * each];
    decoding.decode(stored, 0, count, decoded, 0);
    ByteBuffer images = ByteBuffer.wrap(decoded).order(ByteOrder.LITTLE_ENDIAN);
    int[] ints = new int[each == Integer.BYTES ? count : 0];
    long[] longs = new long[each == Long.BYTES ? count : 0];
    images.asIntBuffer().get(ints);
    images.asLongBuffer().get(longs);
    return new DecodingTable(size == Byte.BYTES, ints, longs);
  }

  @Override
  public void decode(byte[] source, int at, int count, byte[] target, int to) {
    if (isOfBytes && longs.length > 0) {
      fromBytes(longs, source, at, count, target, to);
    } else if (isOfBytes) {
      fromBytes(ints, source, at, count, target, to);
    } else if (longs.length > 0) {
      fromShorts(longs, source, at, count, target, to);
    } else {
      fromShorts(ints, source, at, count, target, to);
    }
  }

  private static void fromBytes(
      long[] table, byte[] source, int at, int count, byte[] target, int to) {
    for (int i = 0; i < count; i++) {
      LONGS.set(target, to + i * Long.BYTES, table[source[at + i] & 0xff]);
    }
  }

  private static void fromBytes(
      int[] table, byte[] source, int at, int count, byte[] target, int to) {
    for (int i = 0; i < count; i++) {
      INTS.set(target, to + i * Integer.BYTES, table[source[at + i] & 0xff]);
    }
  }

  private static void fromShorts(
      long[] table, byte[] source, int at, int count, byte[] target, int to) {
    for (int i = 0; i < count; i++) {
      int image = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
      LONGS.set(target, to + i * Long.BYTES, table[image]);
    }
  }

  private static void fromShorts(
      int[] table, byte[] source, int at, int count, byte[] target, int to) {
    for (int i = 0; i < count; i++) {
      int image = (short) SHORTS.get(source, at + i * Short.BYTES) & 0xffff;
      INTS.set(target, to + i * Integer.BYTES, table[image]);
    }
  }
}
