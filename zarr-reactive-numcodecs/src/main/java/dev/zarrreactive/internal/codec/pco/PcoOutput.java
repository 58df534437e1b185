package dev.zarrreactive.internal.codec.pco;

import dev.zarrreactive.base.Bytes;
import java.util.Arrays;

/** A growing file of bits, the lowest of each byte first. */
final class PcoOutput {
  private byte[] array;
  private int size;
  private long word;
  private int used;

  PcoOutput(int likely) {
    array = new byte[likely + 64];
  }

  /** Writes up to 64 bits; those of {@code bits} above them are ignored. */
  void bits(long bits, int width) {
    long rest = bits & PcoNumber.mask(width);
    int left = width;
    while (left > 0) {
      int now = Math.min(left, Long.SIZE - used);
      word |= rest << used;
      used += now;
      left -= now;
      rest = now == Long.SIZE ? 0 : rest >>> now;
      if (used == Long.SIZE) {
        flush();
      }
    }
  }

  private void flush() {
    if (array.length - size < Long.BYTES) {
      array = Arrays.copyOf(array, (int) Math.min(Bytes.MAX_SIZE, 2L * array.length));
    }
    if (used == Long.SIZE) {
      PcoInput.LONGS.set(array, size, word);
      size += Long.BYTES;
      used = 0;
    }
    for (; used > 0; used -= 8) {
      array[size++] = (byte) word;
      word >>>= 8;
    }
    used = 0;
    word = 0;
  }

  /** Fills the byte with zeros. */
  void align() {
    flush();
  }

  Bytes toBytes() {
    flush();
    return Bytes.wrap(array, 0, size);
  }
}
