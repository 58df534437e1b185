package dev.zarrreactive.internal.element;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Copies items at equal distances in the source to equal distances in the result. */
public final class StridedCopy {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private StridedCopy() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.nativeOrder());
  }

  /**
   * Copies {@code count} items of {@code source} from {@code from} on to {@code result} from {@code
   * to} on. The distances {@code fromStride} and {@code toStride} are in bytes.
   */
  public static void copy(
      int itemSize,
      byte[] source,
      int from,
      int fromStride,
      byte[] result,
      int to,
      int toStride,
      int count) {
    switch (itemSize) {
      case 1 -> copy1(source, from, fromStride, result, to, toStride, count);
      case 2 -> copy2(source, from, fromStride, result, to, toStride, count);
      case 4 -> copy4(source, from, fromStride, result, to, toStride, count);
      case 8 -> copy8(source, from, fromStride, result, to, toStride, count);
      case 16 -> copy16(source, from, fromStride, result, to, toStride, count);
      default -> {
        for (int i = 0; i < count; i++) {
          System.arraycopy(source, from + i * fromStride, result, to + i * toStride, itemSize);
        }
      }
    }
  }

  private static void copy1(byte[] s, int from, int fs, byte[] t, int to, int ts, int count) {
    for (int i = 0; i < count; i++) {
      t[to + i * ts] = s[from + i * fs];
    }
  }

  private static void copy2(byte[] s, int from, int fs, byte[] t, int to, int ts, int count) {
    for (int i = 0; i < count; i++) {
      SHORT.set(t, to + i * ts, (short) SHORT.get(s, from + i * fs));
    }
  }

  private static void copy4(byte[] s, int from, int fs, byte[] t, int to, int ts, int count) {
    for (int i = 0; i < count; i++) {
      INT.set(t, to + i * ts, (int) INT.get(s, from + i * fs));
    }
  }

  private static void copy8(byte[] s, int from, int fs, byte[] t, int to, int ts, int count) {
    for (int i = 0; i < count; i++) {
      LONG.set(t, to + i * ts, (long) LONG.get(s, from + i * fs));
    }
  }

  private static void copy16(byte[] s, int from, int fs, byte[] t, int to, int ts, int count) {
    for (int i = 0; i < count; i++) {
      LONG.set(t, to + i * ts, (long) LONG.get(s, from + i * fs));
      LONG.set(t, to + i * ts + Long.BYTES, (long) LONG.get(s, from + i * fs + Long.BYTES));
    }
  }
}
