package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;

/**
 * Fletcher's checksum as HDF5 has it: of big-endian 16-bit words, an odd last byte padded with zero
 * bits. Sums are kept modulo 65535, of which only zeros sum up to 0.
 */
final class Fletcher32 {
  /** The most words that are summed up before the modulus: a long has room for far more. */
  private static final int WORDS = 1 << 16;

  private Fletcher32() {}

  static int of(Bytes bytes) {
    byte[] array = bytes.unsafeArray();
    int at = bytes.unsafeOffset();
    int end = at + bytes.size();
    long first = 0;
    long second = 0;
    while (at < end) {
      int stop = (int) Math.min(at + 2L * WORDS, end);
      for (; at + 1 < stop; at += 2) {
        first += (array[at] & 0xff) << 8 | (array[at + 1] & 0xff);
        second += first;
      }
      if (at < stop) {
        first += (array[at++] & 0xff) << 8;
        second += first;
      }
      first = reduced(first);
      second = reduced(second);
    }
    return (int) (second << 16 | first);
  }

  private static long reduced(long sum) {
    return sum == 0 ? 0 : (sum - 1) % 0xffff + 1;
  }
}
