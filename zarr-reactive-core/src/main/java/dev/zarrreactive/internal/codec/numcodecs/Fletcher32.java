package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.store.Bytes;

/**
 * Fletcher's checksum as HDF5 has it: of big-endian 16-bit words, the last of an odd number of
 * bytes filled up with zero bits. Sums are kept modulo 65535, where 0 is the sum of nothing but
 * zeros.
 */
final class Fletcher32 {
  /** After so many words the sums still fit into a long, by far. */
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
