package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/** The orders of names and ids that the specification demands. */
public final class Orders {
  /** The order of the bytes of texts in UTF-8, which is that of their code points. */
  public static final Comparator<String> BY_BYTES = Orders::compareTexts;

  private Orders() {}

  private static int compareTexts(String one, String other) {
    int most = Math.min(one.length(), other.length());
    for (int i = 0; i < most; i++) {
      char mine = one.charAt(i);
      char its = other.charAt(i);
      if (mine != its) {
        boolean isPair = Character.isSurrogate(mine);
        return isPair == Character.isSurrogate(its) ? mine - its : isPair ? 1 : -1;
      }
    }
    return one.length() - other.length();
  }

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
