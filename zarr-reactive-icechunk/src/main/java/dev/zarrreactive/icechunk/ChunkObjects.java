package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.icechunk.Base32;

/**
 * The objects of chunks that references lead to, each with the bytes that it must have: a hash
 * table without an object for each entry, up to a bound. Not thread-safe.
 */
final class ChunkObjects {
  /** The bytes of an entry in a table that is half full. */
  private static final int WEIGHT = 80;

  private static final int LEAST = 1 << 10;
  private static final int FREE = 0;

  private final int most;
  private long[] high = new long[0];
  private long[] low = new long[0];

  /** The least size of the object; negative after the object was seen; 0 where no entry is. */
  private long[] bytes = new long[0];

  private int[] source = new int[0];
  private int[] place = new int[0];
  private int size;

  /** A table of at least one entry, and at most as many as fit into so many bytes. */
  ChunkObjects(long maxBytes) {
    this.most = (int) Math.max(1, Math.min(1 << 26, maxBytes / WEIGHT));
    clear();
  }

  /** Removes all entries. */
  void clear() {
    allocate(LEAST);
    size = 0;
  }

  private void allocate(int capacity) {
    high = new long[capacity];
    low = new long[capacity];
    bytes = new long[capacity];
    source = new int[capacity];
    place = new int[capacity];
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size >= most;
  }

  /** The number of places in the table, some of which have no entry. */
  int capacity() {
    return bytes.length;
  }

  /**
   * Adds a reference.
   *
   * @param chunk the id of the object
   * @param end the bytes that the object must have, at least 1
   * @param from a number for where the reference stands, such as that of a manifest
   * @param at the number of the reference there
   */
  void add(String chunk, long end, int from, int at) {
    if (size >= bytes.length / 2) {
      grow();
    }
    put(Base32.high(chunk), Base32.low(chunk), end, from, at);
  }

  private void put(long idHigh, long idLow, long end, int from, int at) {
    int slot = slot(idHigh, idLow);
    if (bytes[slot] == FREE) {
      high[slot] = idHigh;
      low[slot] = idLow;
      size++;
    } else if (bytes[slot] >= end) {
      return;
    }
    bytes[slot] = end;
    source[slot] = from;
    place[slot] = at;
  }

  private int slot(long idHigh, long idLow) {
    long mixed = (idHigh * 31 + idLow) * 0x9e37_79b9_7f4a_7c15L;
    int slot = (int) (mixed >>> 33) & (bytes.length - 1);
    while (bytes[slot] != FREE && (high[slot] != idHigh || low[slot] != idLow)) {
      slot = (slot + 1) & (bytes.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldHigh = high;
    long[] oldLow = low;
    long[] oldBytes = bytes;
    int[] oldSource = source;
    int[] oldPlace = place;
    allocate(2 * oldBytes.length);
    size = 0;
    for (int i = 0; i < oldBytes.length; i++) {
      if (oldBytes[i] != FREE) {
        put(oldHigh[i], oldLow[i], oldBytes[i], oldSource[i], oldPlace[i]);
      }
    }
  }

  /** Marks an object as seen; returns its slot, or a negative number where none leads to it. */
  int see(String chunk) {
    if (!Base32.isObjectId(chunk)) {
      return -1;
    }
    int slot = slot(Base32.high(chunk), Base32.low(chunk));
    if (bytes[slot] == FREE) {
      return -1;
    }
    bytes[slot] = -Math.abs(bytes[slot]);
    return slot;
  }

  /** Returns true for a slot whose object was not seen. */
  boolean isMissing(int slot) {
    return bytes[slot] > FREE;
  }

  /** The bytes that the object of a slot must have. */
  long bytes(int slot) {
    return Math.abs(bytes[slot]);
  }

  /** The id of the object of a slot. */
  String id(int slot) {
    return Base32.text(high[slot], low[slot]);
  }

  /** Where the reference stands. */
  int source(int slot) {
    return source[slot];
  }

  /** The number of the reference where it stands. */
  int place(int slot) {
    return place[slot];
  }
}
