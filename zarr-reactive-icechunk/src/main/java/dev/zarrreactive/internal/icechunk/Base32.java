package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;

/**
 * Crockford's base32, in which the ids of an Icechunk repository stand in keys: upper case, without
 * padding, zero bits appended on the right.
 */
public final class Base32 {
  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private Base32() {}

  /** Returns the text of {@code length} bytes from {@code at}. */
  static String encode(Bytes bytes, int at, int length) {
    StringBuilder text = new StringBuilder((length * 8 + 4) / 5);
    int bits = 0;
    int count = 0;
    for (int i = at; i < at + length; i++) {
      bits = (bits << 8) | (bytes.get(i) & 0xff);
      count += 8;
      while (count >= 5) {
        count -= 5;
        text.append(ALPHABET.charAt((bits >>> count) & 31));
      }
      bits &= (1 << count) - 1;
    }
    return count == 0
        ? text.toString()
        : text.append(ALPHABET.charAt((bits << (5 - count)) & 31)).toString();
  }

  /** Returns true for the text of an id of a snapshot, a manifest or a chunk: 12 bytes. */
  public static boolean isObjectId(String text) {
    return text.length() == 20 && text.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0);
  }

  /** The first 60 bits of the text of an id of 12 bytes. */
  public static long high(String id) {
    return number(id, 0, 12);
  }

  /** The other 40 bits of the text of an id of 12 bytes. */
  public static long low(String id) {
    return number(id, 12, 20);
  }

  private static long number(String id, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      number = number << 5 | ALPHABET.indexOf(id.charAt(i));
    }
    return number;
  }

  /** The text of an id of 12 bytes, of {@link #high} and {@link #low}. */
  public static String text(long high, long low) {
    StringBuilder text = new StringBuilder(20);
    for (int shift = 55; shift >= 0; shift -= 5) {
      text.append(ALPHABET.charAt((int) (high >>> shift) & 31));
    }
    for (int shift = 35; shift >= 0; shift -= 5) {
      text.append(ALPHABET.charAt((int) (low >>> shift) & 31));
    }
    return text.toString();
  }
}
