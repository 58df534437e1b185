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
