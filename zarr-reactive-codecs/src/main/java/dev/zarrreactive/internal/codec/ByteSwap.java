package dev.zarrreactive.internal.codec;

import dev.zarrreactive.datatype.Components;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Reverses the bytes of each component, eight bytes at a time by shifts and masks on a long. It
 * works in place: the compiler then knows that source and target do not overlap, and uses vector
 * instructions. A copy and a swap in place are more than twice as fast as a swap from one array
 * into another.
 */
final class ByteSwap {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EVEN_BYTES = 0x00ff00ff00ff00ffL;
  private static final long EVEN_SHORTS = 0x0000ffff0000ffffL;

  private ByteSwap() {}

  /**
   * Swaps the components of items.
   *
   * @param bytes whole items
   * @param item the components of an item
   */
  static void swap(byte[] bytes, List<Components> item) {
    if (item.size() == 1) {
      swap(bytes, item.get(0).size());
      return;
    }
    int offset = 0;
    while (offset < bytes.length) {
      for (Components components : item) {
        components.swap(bytes, offset);
        offset += components.byteSize();
      }
    }
  }

  /**
   * Swaps components.
   *
   * @param bytes whole components
   * @param componentSize 2, 4 or 8
   */
  static void swap(byte[] bytes, int componentSize) {
    switch (componentSize) {
      case 2 -> swap2(bytes);
      case 4 -> swap4(bytes);
      case 8 -> swap8(bytes);
      default -> throw new IllegalArgumentException("components of " + componentSize + " bytes");
    }
    int rest = bytes.length % Long.BYTES;
    for (int i = bytes.length - rest; i < bytes.length; i += componentSize) {
      for (int j = 0; j < componentSize / 2; j++) {
        byte first = bytes[i + j];
        bytes[i + j] = bytes[i + componentSize - 1 - j];
        bytes[i + componentSize - 1 - j] = first;
      }
    }
  }

  private static void swap2(byte[] bytes) {
    for (int i = 0; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      LONG.set(bytes, i, swapBytes((long) LONG.get(bytes, i)));
    }
  }

  private static void swap4(byte[] bytes) {
    for (int i = 0; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      LONG.set(bytes, i, swapShorts(swapBytes((long) LONG.get(bytes, i))));
    }
  }

  private static void swap8(byte[] bytes) {
    for (int i = 0; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      LONG.set(bytes, i, swapInts(swapShorts(swapBytes((long) LONG.get(bytes, i)))));
    }
  }

  private static long swapBytes(long x) {
    return ((x & EVEN_BYTES) << 8) | ((x >>> 8) & EVEN_BYTES);
  }

  private static long swapShorts(long x) {
    return ((x & EVEN_SHORTS) << 16) | ((x >>> 16) & EVEN_SHORTS);
  }

  private static long swapInts(long x) {
    return (x << 32) | (x >>> 32);
  }
}
