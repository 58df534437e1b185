package dev.zarrreactive.fuzz;

import java.util.Arrays;
import java.util.Random;

/** Damages bytes as disks, networks and malice do. */
final class ByteMutation {
  private static final long[] SIZES = {
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    15,
    16,
    127,
    128,
    255,
    256,
    65535,
    65536,
    1 << 20,
    1 << 30,
    Integer.MAX_VALUE,
    0x8000_0000L,
    0xffff_ffffL,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -16
  };

  private ByteMutation() {}

  /**
   * A copy with one to four changes.
   *
   * @param other bytes of which parts are put in
   */
  static byte[] of(byte[] original, byte[] other, Random random) {
    byte[] bytes = original.clone();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      bytes =
          bytes.length == 0
              ? Arrays.copyOf(bytes, random.nextInt(9))
              : change(bytes, other, random);
    }
    return bytes;
  }

  private static byte[] change(byte[] bytes, byte[] other, Random random) {
    int at = place(bytes.length, random);
    switch (random.nextInt(9)) {
      case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes[at] = (byte) random.nextInt(256);
      case 2 -> bytes[at] += (byte) (random.nextBoolean() ? 1 : -1);
      case 3 -> putSize(bytes, at, random);
      case 4 -> Arrays.fill(bytes, at, end(at, bytes.length, random), (byte) -random.nextInt(2));
      case 5 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 6 -> {
        return Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(64));
      }
      case 7 -> {
        int end = end(at, bytes.length, random);
        return joined(
            bytes, at, Arrays.copyOfRange(bytes, at, end), random.nextBoolean() ? end : at);
      }
      default -> {
        int from = other.length == 0 ? 0 : random.nextInt(other.length);
        byte[] part = Arrays.copyOfRange(other, from, end(from, other.length, random));
        return joined(bytes, at, part, Math.min(bytes.length, at + part.length));
      }
    }
    return bytes;
  }

  /** Headers and indices are at the ends. */
  private static int place(int length, Random random) {
    int edge = Math.min(length, 32);
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(edge);
      case 1 -> length - 1 - random.nextInt(edge);
      default -> random.nextInt(length);
    };
  }

  private static int end(int from, int length, Random random) {
    return Math.min(length, from + random.nextInt(1 + (random.nextBoolean() ? 8 : 64)));
  }

  private static void putSize(byte[] bytes, int at, Random random) {
    long size = SIZES[random.nextInt(SIZES.length)];
    int width = 1 << random.nextInt(4);
    boolean bigEndian = random.nextInt(4) == 0;
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (size >>> Byte.SIZE * (bigEndian ? width - 1 - i : i));
    }
  }

  /** The bytes before {@code at}, the part, and the bytes from {@code on} on. */
  private static byte[] joined(byte[] bytes, int at, byte[] part, int on) {
    byte[] result = Arrays.copyOf(bytes, at + part.length + bytes.length - on);
    System.arraycopy(part, 0, result, at, part.length);
    System.arraycopy(bytes, on, result, at + part.length, bytes.length - on);
    return result;
  }
}
