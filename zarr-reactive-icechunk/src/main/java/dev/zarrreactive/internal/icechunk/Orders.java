package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The orders of names and ids that the specification demands. */
final class Orders {
  private Orders() {}

  /** Compares bytes as unsigned numbers. */
  static int compare(Bytes one, Bytes other) {
    return Arrays.compareUnsigned(
        one.unsafeArray(),
        one.unsafeOffset(),
        one.unsafeOffset() + one.size(),
        other.unsafeArray(),
        other.unsafeOffset(),
        other.unsafeOffset() + other.size());
  }

  /** Compares paths name by name, so that a slash goes before every other byte. */
  static int compareNames(Bytes one, Bytes other) {
    int common = Math.min(one.size(), other.size());
    for (int i = 0; i < common; i++) {
      int order = Integer.compare(inNames(one.get(i)), inNames(other.get(i)));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  private static int inNames(byte each) {
    return each == '/' ? -1 : each & 0xff;
  }

  /** Returns true for texts in the ascending order of their bytes in UTF-8, none of them twice. */
  static boolean isAscending(Iterable<String> texts) {
    byte[] last = null;
    for (String text : texts) {
      byte[] next = text.getBytes(StandardCharsets.UTF_8);
      if (last != null && Arrays.compareUnsigned(last, next) >= 0) {
        return false;
      }
      last = next;
    }
    return true;
  }
}
