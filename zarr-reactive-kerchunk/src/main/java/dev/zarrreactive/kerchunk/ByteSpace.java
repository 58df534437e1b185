package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import java.util.Arrays;

/** Bytes that are added one after the other, up to a bound. */
final class ByteSpace {
  private final HeldBytes held;
  private byte[] array = new byte[64];
  private int size;

  ByteSpace(HeldBytes held) {
    this.held = held;
  }

  void add(byte[] source, int from, int length) {
    held.add(length);
    if (length > array.length - size) {
      long wanted = Math.max(size + (long) length, size + (size >> 1));
      array = Arrays.copyOf(array, (int) Math.min(wanted, Bytes.MAX_SIZE));
    }
    System.arraycopy(source, from, array, size, length);
    size += length;
  }

  byte[] array() {
    return array;
  }

  int size() {
    return size;
  }

  /** Gives back what is not used. */
  void trim() {
    array = Arrays.copyOf(array, size);
  }
}
