package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one array that a session has written or erased: a hash table without an object for
 * each entry. A chunk in an object takes some 40 bytes; an inline one its own bytes in addition. An
 * entry keeps its number. Not thread-safe.
 */
final class ChunkChanges {
  /** No entry. */
  static final int NONE = -1;

  private static final int FREE = 0;
  private static final int LEAST = 16;

  /** What became of a chunk. */
  enum State {
    /** It is as the base has it: a change was taken back. */
    AS_BEFORE(0),
    /** It is gone. */
    ERASED(1),
    /** Its bytes are in an object. */
    OBJECT(2),
    /** Its bytes are here. */
    INLINE(3);

    private final byte code;

    State(int code) {
      this.code = (byte) code;
    }

    /** The number of the state in a table, and in the bytes of a fork. */
    byte code() {
      return code;
    }

    static State of(byte code) {
      return switch (code) {
        case 0 -> AS_BEFORE;
        case 1 -> ERASED;
        case 2 -> OBJECT;
        default -> INLINE;
      };
    }
  }

  private final int rank;
  private int size;
  private int[] slots = new int[2 * LEAST];
  private int[] indices;
  private byte[] states = new byte[LEAST];
  private long[] first = new long[LEAST];
  private int[] last = new int[LEAST];
  private int[] lengths = new int[LEAST];
  private Bytes @Nullable [] inline;

  /** No change of an array of so many dimensions. */
  ChunkChanges(int rank) {
    this.rank = rank;
    this.indices = new int[LEAST * rank];
  }

  /** Makes room for so many more entries, so that the table grows once. */
  void reserve(int more) {
    if (more > states.length - size) {
      grow(Math.max(Math.addExact(size, more), size + size / 2));
    }
  }

  int rank() {
    return rank;
  }

  /** The number of entries, those that were taken back among them. */
  int size() {
    return size;
  }

  /** The number of the entry of a chunk, or {@link #NONE}. */
  int find(int[] index) {
    int found = slots[slot(index)];
    return found == FREE ? NONE : found - 1;
  }

  private int slot(int[] index) {
    int hash = 0;
    for (int number : index) {
      hash = (hash + number) * 0x9e37_79b1;
    }
    hash ^= hash >>> 15;
    int slot = hash & (slots.length - 1);
    while (slots[slot] != FREE && !isAt(slots[slot] - 1, index)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private boolean isAt(int entry, int[] index) {
    return Arrays.equals(indices, entry * rank, entry * rank + rank, index, 0, rank);
  }

  private int entry(int[] index) {
    int slot = slot(index);
    if (slots[slot] != FREE) {
      return slots[slot] - 1;
    }
    if (size == states.length) {
      grow(Math.multiplyExact(2, size));
      slot = slot(index);
    }
    System.arraycopy(index, 0, indices, size * rank, rank);
    slots[slot] = size + 1;
    return size++;
  }

  private void grow(int capacity) {
    indices = Arrays.copyOf(indices, Math.multiplyExact(capacity, rank));
    states = Arrays.copyOf(states, capacity);
    first = Arrays.copyOf(first, capacity);
    last = Arrays.copyOf(last, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    if (inline != null) {
      inline = Arrays.copyOf(inline, capacity);
    }
    slots = new int[Math.multiplyExact(2, Integer.highestOneBit(capacity - 1) << 1)];
    for (int entry = 0; entry < size; entry++) {
      slots[slot(indexAt(entry))] = entry + 1;
    }
  }

  private void put(int[] index, State state, long idFirst, int idLast, int length) {
    int entry = entry(index);
    states[entry] = state.code;
    first[entry] = idFirst;
    last[entry] = idLast;
    lengths[entry] = length;
    if (inline != null) {
      inline[entry] = Bytes.EMPTY;
    }
  }

  /** Notes a chunk that was stored as an object. */
  void putObject(int[] index, String chunk, int length) {
    putObject(index, ObjectIds.first(chunk), ObjectIds.last(chunk), length);
  }

  /** Notes a chunk that was stored as an object, by the first 8 and the last 4 bytes of its id. */
  void putObject(int[] index, long idFirst, int idLast, int length) {
    put(index, State.OBJECT, idFirst, idLast, length);
  }

  /**
   * Notes a small chunk.
   *
   * @param number that no other write of the session has
   */
  void putInline(int[] index, Bytes bytes, long number) {
    put(index, State.INLINE, number, 0, bytes.size());
    if (inline == null) {
      inline = new Bytes[states.length];
      Arrays.fill(inline, Bytes.EMPTY);
    }
    inline[find(index)] = Bytes.wrap(bytes.toByteArray());
  }

  /** Notes a chunk that is gone. */
  void erase(int[] index) {
    put(index, State.ERASED, 0, 0, 0);
  }

  /** Takes the change of a chunk back. */
  void restore(int[] index) {
    if (find(index) != NONE) {
      note(index);
    }
  }

  /** Notes that a chunk is as before. */
  void note(int[] index) {
    put(index, State.AS_BEFORE, 0, 0, 0);
  }

  /**
   * A number for what became of a chunk, which no later change of it gets: 0 where it is as before,
   * -1 where it is gone.
   */
  long stamp(int[] index) {
    int entry = find(index);
    return entry == NONE ? 0 : stamp(entry);
  }

  /** The stamp of the chunk of an entry. */
  long stamp(int entry) {
    return switch (state(entry)) {
      case AS_BEFORE -> 0;
      case ERASED -> -1;
      case OBJECT, INLINE -> first[entry];
    };
  }

  /** What became of the chunk of an entry. */
  State state(int entry) {
    return State.of(states[entry]);
  }

  /** The index of the chunk of an entry. */
  int[] indexAt(int entry) {
    return Arrays.copyOfRange(indices, entry * rank, entry * rank + rank);
  }

  /** The first 8 bytes of the id of the object, or the number of the write. */
  long first(int entry) {
    return first[entry];
  }

  /** The last 4 bytes of the id of the object. */
  int last(int entry) {
    return last[entry];
  }

  /** The number of bytes of the chunk. */
  int length(int entry) {
    return lengths[entry];
  }

  /** The bytes of an inline chunk. */
  Bytes inline(int entry) {
    return inline == null ? Bytes.EMPTY : inline[entry];
  }

  /** Returns true if some chunk is another one than before. */
  boolean isChanged() {
    return changed() > 0;
  }

  /** The number of chunks that are not as before. */
  int changed() {
    int count = 0;
    for (int entry = 0; entry < size; entry++) {
      count += states[entry] == 0 ? 0 : 1;
    }
    return count;
  }

  /** The entries of chunks that are not as before, in the order of their indices. */
  int[] sorted() {
    return sorted(entry -> states[entry] != 0);
  }

  /** All entries, in the order of their indices. */
  int[] allSorted() {
    return sorted(entry -> true);
  }

  private int[] sorted(IntPredicate isWanted) {
    return IntStream.range(0, size)
        .filter(isWanted)
        .boxed()
        .sorted(this::compare)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int compare(int one, int other) {
    for (int axis = 0; axis < rank; axis++) {
      int order = Integer.compareUnsigned(indices[one * rank + axis], indices[other * rank + axis]);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Compares two indices number by number. */
  static int compare(int[] one, int[] other) {
    return Arrays.compareUnsigned(one, other);
  }

  /** The bytes of memory that the table takes, without the bytes of inline chunks. */
  long weight() {
    return 4L * slots.length
        + 4L * indices.length
        + states.length
        + 8L * first.length
        + 4L * last.length
        + 4L * lengths.length
        + (inline == null ? 0 : 8L * inline.length);
  }
}
