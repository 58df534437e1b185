package dev.zarrreactive.internal.icechunk;

import dev.zarrreactive.base.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Crockford's base32, in which the ids of an Icechunk repository stand in keys: upper case, without
 * padding, zero bits appended on the right.
 */
public final class Base32 {
  private static final byte[] ALPHABET =
      "0123456789ABCDEFGHJKMNPQRSTVWXYZ".getBytes(StandardCharsets.US_ASCII);

  /** The number of each letter; -1 for what is none. */
  private static final byte[] NUMBERS = new byte[128];

  static {
    Arrays.fill(NUMBERS, (byte) -1);
    for (int number = 0; number < ALPHABET.length; number++) {
      NUMBERS[ALPHABET[number]] = (byte) number;
    }
  }

  private Base32() {}

  private static int number(char letter) {
    return letter < NUMBERS.length ? NUMBERS[letter] : -1;
  }

  /** Returns the text of {@code length} bytes from {@code at}. */
  static String encode(Bytes bytes, int at, int length) {
    byte[] text = new byte[(length * 8 + 4) / 5];
    int letters = 0;
    int bits = 0;
    int count = 0;
    for (int i = at; i < at + length; i++) {
      bits = (bits << 8) | (bytes.get(i) & 0xff);
      count += 8;
      while (count >= 5) {
        count -= 5;
        text[letters++] = ALPHABET[(bits >>> count) & 31];
      }
      bits &= (1 << count) - 1;
    }
    if (count > 0) {
      text[letters] = ALPHABET[(bits << (5 - count)) & 31];
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Returns true for the text of an id of a snapshot, a manifest or a chunk: 12 bytes. */
  public static boolean isObjectId(String text) {
    return text.length() == 20 && text.chars().allMatch(c -> number((char) c) >= 0);
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
      number = number << 5 | number(id.charAt(i));
    }
    return number;
  }

  /** The text of an id of 12 bytes, of {@link #high} and {@link #low}. */
  public static String text(long high, long low) {
    byte[] text = new byte[20];
    for (int i = 0; i < 12; i++) {
      text[i] = ALPHABET[(int) (high >>> (55 - 5 * i)) & 31];
    }
    for (int i = 0; i < 8; i++) {
      text[12 + i] = ALPHABET[(int) (low >>> (35 - 5 * i)) & 31];
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }
}
