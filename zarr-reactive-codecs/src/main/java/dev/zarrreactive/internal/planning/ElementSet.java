package dev.zarrreactive.internal.planning;

/** A set of elements of one chunk, by their places in its C order: one bit each. */
public final class ElementSet {
  private final long[] words;
  private int size;

  /** Creates an empty set of elements of a chunk that has {@code elements}. */
  public ElementSet(int elements) {
    this.words = new long[words(elements)];
  }

  private static int words(int elements) {
    return elements / Long.SIZE + 1;
  }

  /** Returns the bytes that such a set takes. */
  public static long bytes(long elements) {
    return (elements / Long.SIZE + 1) * Long.BYTES;
  }

  /** Returns the number of elements. */
  public int size() {
    return size;
  }

  /** Adds the elements from {@code from} to before {@code to}. */
  public void add(int from, int to) {
    for (int at = from; at < to; at = endOfWord(at, to)) {
      long bits = bits(at, to);
      size += Long.bitCount(bits & ~words[at / Long.SIZE]);
      words[at / Long.SIZE] |= bits;
    }
  }

  /** Returns how many of the elements from {@code from} to before {@code to} are in the set. */
  public int count(int from, int to) {
    int count = 0;
    for (int at = from; at < to; at = endOfWord(at, to)) {
      count += Long.bitCount(bits(at, to) & words[at / Long.SIZE]);
    }
    return count;
  }

  /** Returns true if the element is in the set. */
  public boolean contains(int element) {
    return (words[element / Long.SIZE] & 1L << element) != 0;
  }

  private static int endOfWord(int at, int to) {
    return (int) Math.min(to, (at / Long.SIZE + 1L) * Long.SIZE);
  }

  /** Returns the bits of a word from {@code from} on, to before {@code to} if that is in it. */
  private static long bits(int from, int to) {
    long bits = -1L << from;
    return to - (from - from % Long.SIZE) < Long.SIZE ? bits & ~(-1L << to) : bits;
  }
}
