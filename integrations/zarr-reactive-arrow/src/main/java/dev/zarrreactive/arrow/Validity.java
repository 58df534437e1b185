package dev.zarrreactive.arrow;

import org.apache.arrow.memory.ArrowBuf;

/** Bits that say which values of a vector there are. */
final class Validity {
  private Validity() {}

  /** Says that there are all values. */
  static void setAll(ArrowBuf bits, int count) {
    int whole = count >> 3;
    bits.setOne(0L, (long) whole);
    if ((count & 7) != 0) {
      bits.setByte(whole, (1 << (count & 7)) - 1);
    }
  }
}
