package dev.zarrreactive.icechunk;

/**
 * A set of ids of objects without an object for each: 12 bytes in a table that is at most half
 * full. Not thread-safe.
 */
final class ObjectIdSet {
  /** The most bytes that an id takes while the table grows. */
  static final int WEIGHT = 72;

  private static final int LEAST = 1 << 10;

  private long[] first = new long[LEAST];
  private int[] last = new int[LEAST];
  private boolean hasZero;
  private int size;

  /** Adds an id, by its first 8 and its last 4 bytes. */
  void add(long idFirst, int idLast) {
    if (idFirst == 0 && idLast == 0) {
      hasZero = true;
      return;
    }
    if (size >= first.length / 2) {
      grow();
    }
    int slot = slot(idFirst, idLast);
    if (isFree(slot)) {
      first[slot] = idFirst;
      last[slot] = idLast;
      size++;
    }
  }

  /** Returns true if an id was added. */
  boolean contains(long idFirst, int idLast) {
    return (idFirst == 0 && idLast == 0) ? hasZero : !isFree(slot(idFirst, idLast));
  }

  private static int mix(long idFirst, int idLast) {
    long mixed = (idFirst * 31 + idLast) * 0x9e37_79b9_7f4a_7c15L;
    return (int) (mixed >>> 33);
  }

  private boolean isFree(int slot) {
    return first[slot] == 0 && last[slot] == 0;
  }

  private int slot(long idFirst, int idLast) {
    int slot = mix(idFirst, idLast) & (first.length - 1);
    while (!isFree(slot) && (first[slot] != idFirst || last[slot] != idLast)) {
      slot = (slot + 1) & (first.length - 1);
    }
    return slot;
  }

  private void grow() {
    long[] oldFirst = first;
    int[] oldLast = last;
    first = new long[Math.multiplyExact(2, oldFirst.length)];
    last = new int[first.length];
    size = 0;
    for (int slot = 0; slot < oldFirst.length; slot++) {
      if (oldFirst[slot] != 0 || oldLast[slot] != 0) {
        add(oldFirst[slot], oldLast[slot]);
      }
    }
  }
}
