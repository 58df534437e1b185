package dev.zarrreactive.internal.codec.zfp;

import dev.zarrreactive.base.Bytes;
import java.util.Arrays;

/** A growing stream of bits in little-endian words of 64, the lowest bit first. */
final class BitOutput {
  private byte[] array;
  private int position;
  private long word;
  private int used;

  BitOutput(int likely) {
    array = new byte[Math.max(Long.BYTES, likely)];
  }

  private void flush() {
    if (array.length - position < Long.BYTES) {
      long longer = Math.min(Bytes.MAX_SIZE, 2L * array.length + Long.BYTES);
      array = Arrays.copyOf(array, (int) longer);
    }
    ZfpElements.LONGS.set(array, position, word);
    position += Long.BYTES;
    word = 0;
    used = 0;
  }

  void bit(long bit) {
    word |= bit << used;
    if (++used == Long.SIZE) {
      flush();
    }
  }

  /** Writes the lower {@code count} bits of {@code bits}, whose other bits are 0. */
  void bits(long bits, int count) {
    if (count == 0) {
      return;
    }
    word |= bits << used;
    int now = Math.min(count, Long.SIZE - used);
    used += now;
    if (used == Long.SIZE) {
      flush();
      if (count > now) {
        word = bits >>> now;
        used = count - now;
      }
    }
  }

  void zeros(int count) {
    for (int rest = count; rest > 0; rest -= Long.SIZE) {
      bits(0, Math.min(rest, Long.SIZE));
    }
  }

  /** Ends the last word with zeros. */
  Bytes toBytes() {
    if (used > 0) {
      flush();
    }
    return Bytes.wrap(array, 0, position);
  }
}
