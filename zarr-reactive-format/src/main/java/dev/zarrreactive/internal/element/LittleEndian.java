package dev.zarrreactive.internal.element;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian scalars in byte arrays. */
final class LittleEndian {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /** The unsigned integer of 1, 2, 4 or 8 bytes at {@code position}. */
  static long get(byte[] array, int position, int size) {
    return switch (size) {
      case 1 -> array[position] & 0xffL;
      case 2 -> getShort(array, position) & 0xffffL;
      case 4 -> getInt(array, position) & 0xffff_ffffL;
      default -> getLong(array, position);
    };
  }

  static short getShort(byte[] array, int position) {
    return (short) SHORT.get(array, position);
  }

  static int getInt(byte[] array, int position) {
    return (int) INT.get(array, position);
  }

  static long getLong(byte[] array, int position) {
    return (long) LONG.get(array, position);
  }
}
