package dev.zarrreactive.kerchunk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Different texts, numbered from 0 in the order in which they came: their UTF-8 bytes one after the
 * other, and some sixteen bytes for each.
 */
final class TextPool {
  private static final int NONE = -1;

  /** Begins each hash, so that nobody can write texts that share one. */
  private final int seed = ThreadLocalRandom.current().nextInt();

  private final ByteSpace bytes;
  private int[] ends = new int[16];
  private int[] slots = emptySlots(32);
  private int count;

  /** Creates an empty pool, whose bytes count against a bound. */
  TextPool(HeldBytes held) {
    this.bytes = new ByteSpace(held);
  }

  private static int[] emptySlots(int length) {
    int[] slots = new int[length];
    Arrays.fill(slots, NONE);
    return slots;
  }

  /** Returns the number of a text, and takes it where it is new. */
  int add(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    return add(utf8, 0, utf8.length);
  }

  /** Returns the number of a text in UTF-8, and takes it where it is new. */
  int add(byte[] array, int from, int length) {
    int slot = slot(array, from, from + length);
    if (slots[slot] != NONE) {
      return slots[slot];
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, ends.length + (ends.length >> 1) + 1);
    }
    bytes.add(array, from, length);
    ends[count] = bytes.size();
    slots[slot] = count++;
    if (count > slots.length - (slots.length >> 2)) {
      grow();
    }
    return count - 1;
  }

  private void grow() {
    int[] before = slots;
    slots = emptySlots(2 * before.length);
    for (int number : before) {
      if (number != NONE) {
        int slot = hash(bytes.array(), start(number), ends[number]) & (slots.length - 1);
        while (slots[slot] != NONE) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = number;
      }
    }
  }

  /** The number of a text; -1 where the pool does not have it. */
  int find(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    return slots[slot(utf8, 0, utf8.length)];
  }

  /** The slot of a text, or the free one that it would take. */
  private int slot(byte[] array, int from, int to) {
    int slot = hash(array, from, to) & (slots.length - 1);
    while (slots[slot] != NONE && !isText(slots[slot], array, from, to)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private boolean isText(int number, byte[] array, int from, int to) {
    return Arrays.equals(bytes.array(), start(number), ends[number], array, from, to);
  }

  /** A hash whose low bits depend on all bytes: references differ in a few digits. */
  private int hash(byte[] array, int from, int to) {
    int hash = seed;
    for (int i = from; i < to; i++) {
      hash = (hash ^ array[i]) * 0x01000193;
    }
    hash ^= hash >>> 15;
    hash *= 0x2c1b3c6d;
    return hash ^ hash >>> 13;
  }

  /** Compares a text with another one, byte by byte. */
  int compare(int number, byte[] utf8) {
    return Arrays.compareUnsigned(bytes.array(), start(number), ends[number], utf8, 0, utf8.length);
  }

  /** Compares two texts, byte by byte. */
  int compare(int a, int b) {
    byte[] array = bytes.array();
    return Arrays.compareUnsigned(array, start(a), ends[a], array, start(b), ends[b]);
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  /** The text of a number. */
  String get(int number) {
    return new String(bytes.array(), start(number), ends[number] - start(number), UTF_8);
  }

  /** How many texts there are. */
  int size() {
    return count;
  }

  /** The bytes that this takes. */
  long weight() {
    return bytes.size() + 4L * ends.length + 4L * slots.length;
  }

  /** Gives back the memory that no text has taken. */
  void trim() {
    bytes.trim();
    ends = Arrays.copyOf(ends, Math.max(1, count));
  }
}
