package dev.zarrreactive.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The values that an element of an array may have. Each value that is written names its operation
 * and its element, so that a value that is read tells where it comes from.
 *
 * <p>A write may be seen as soon as it has begun, and for as long as no later one has ended: later
 * is a write that began when this one was over, and that was acknowledged before the read began. A
 * write that failed or was cancelled has happened or not, and replaces nothing for certain. Two
 * events of one nanosecond have no order.
 */
final class ValueModel {
  /** So many elements may an array have. */
  static final int MOST = 1 << 12;

  private final ArrayPlan array;
  private final boolean mayBeStale;
  private final List<Write> writes = new ArrayList<>();

  /**
   * What an array is at first: fill value.
   *
   * @param mayBeStale true where a change of a part of a chunk may be made to an old cached chunk,
   *     and so miss what another program has stored
   */
  ValueModel(ArrayPlan array, boolean mayBeStale) {
    this.array = array;
    this.mayBeStale = mayBeStale;
    Write first = new Write(0, true, false, false, false, Box.all(array.shape()), Long.MIN_VALUE);
    first.ended(Long.MIN_VALUE, true);
    writes.add(first);
  }

  /** Returns the value that an operation writes to an element, by its index in C order. */
  static int value(int operation, int index) {
    return operation * MOST + index;
  }

  /** Some elements that are written together. */
  final class Write {
    private final int operation;
    private final boolean isFill;
    private final boolean isForeign;
    private final boolean isErasure;
    private final boolean isStream; // each band or part may change a chunk again
    private final boolean[] touches = new boolean[Box.all(array.shape()).size()];
    private final long began;
    private long ended = Long.MAX_VALUE;
    private long settled = Long.MAX_VALUE;
    private boolean replaces;

    private Write(
        int operation,
        boolean isFill,
        boolean isForeign,
        boolean isErasure,
        boolean isStream,
        Box box,
        long now) {
      this.operation = operation;
      this.isFill = isFill;
      this.isForeign = isForeign;
      this.isErasure = isErasure;
      this.isStream = isStream;
      this.began = now;
      for (int index : box.indices(array.shape())) {
        touches[index] = true;
      }
    }

    /**
     * Its caller knows the end.
     *
     * @param isCertain whether it has replaced what was before for certain
     */
    void ended(long now, boolean isCertain) {
      ended = now;
      settled = now;
      replaces = isCertain;
    }

    /** A change that was sent for it is still on its way. */
    void unsettled() {
      settled = Long.MAX_VALUE;
    }

    /** The last change that was sent for it has arrived. */
    void settled(long now) {
      settled = Math.max(ended, now);
    }

    private boolean isReplacedBy(Write later, int index, long readBegan, long foreignReadBegan) {
      boolean isOrdered = !later.isForeign && !later.isErasure && !isErasure; // by the key's lock
      boolean isMissed = mayBeStale && isForeign && !later.isForeign && !later.isErasure;
      return later.replaces
          && !isMissed
          && later.touches[index]
          && later.began > (isOrdered ? ended : settled)
          && later.ended < (later.isForeign ? foreignReadBegan : readBegan);
    }
  }

  /** A write begins. */
  Write begin(PlannedOperation operation, Box box, long now) {
    PlannedOperation.Kind kind = operation.kind();
    boolean isErasure = kind == PlannedOperation.Kind.ERASE;
    boolean isFill = isErasure || kind == PlannedOperation.Kind.CLEAR;
    boolean isForeign = kind == PlannedOperation.Kind.FOREIGN_WRITE;
    boolean isStream = operation.isInBlocks() || operation.isInChunks();
    Write write = new Write(operation.id(), isFill, isForeign, isErasure, isStream, box, now);
    writes.add(write);
    return write;
  }

  /**
   * Returns true where a read may have found the value.
   *
   * @param foreignBegan when the read began, or the oldest that was under way then: reads share
   *     requests, and so see what another program had stored when the request began
   */
  boolean allows(int index, int value, long began, long foreignBegan, long ended) {
    return allowsOne(index, its -> its == value, began, foreignBegan, ended);
  }

  /** Returns true where a read may have found a value of a kind; otherwise as {@link #allows}. */
  boolean allowsOne(int index, IntPredicate isOne, long began, long foreignBegan, long ended) {
    for (Write write : writes) {
      if (isOne.test(write.isFill ? array.fill() : value(write.operation, index))
          && write.touches[index]
          && write.began <= ended
          && writes.stream()
              .noneMatch(later -> write.isReplacedBy(later, index, began, foreignBegan))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of changes that one chunk may have had in that time, at most. */
  long changesBetween(long began, long ended) {
    return writes.stream()
        .filter(write -> write.operation > 0 && write.began <= ended && write.settled >= began)
        .mapToLong(write -> write.isStream ? MOST : 1)
        .sum();
  }

  /** Returns what is known of an element, for a reader of a failure. */
  String historyOf(int index) {
    StringBuilder text = new StringBuilder();
    for (Write write : writes) {
      if (write.touches[index]) {
        text.append("\n      #").append(write.operation).append(write.isFill ? " fill" : "");
        text.append(" from ").append(write.began).append(" to ");
        text.append(write.ended == Long.MAX_VALUE ? "?" : String.valueOf(write.ended));
        text.append(write.replaces ? "" : ", not known to have happened");
      }
    }
    return text.toString();
  }

  String nameOf(int value) {
    return value == array.fill()
        ? "fill value"
        : "value of #" + value / MOST + " for element " + value % MOST;
  }
}
