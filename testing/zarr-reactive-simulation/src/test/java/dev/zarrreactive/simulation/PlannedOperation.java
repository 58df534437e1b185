package dev.zarrreactive.simulation;

import java.util.stream.Stream;

/**
 * An operation of a scenario.
 *
 * @param id unlike that of every other operation; the values that it writes have it
 * @param startMicros when it begins
 * @param hierarchy the number of the hierarchy that does it
 * @param array the number of the array
 * @param cancelMicros how long after its start it is cancelled; -1 for never
 */
record PlannedOperation(
    int id,
    Kind kind,
    long startMicros,
    int hierarchy,
    int array,
    Box box,
    Pace pace,
    long cancelMicros) {
  /** Operations from this number on that write give a stream of chunks. */
  static final int FIRST_IN_CHUNKS = 700;

  /** What an operation does. */
  enum Kind {
    OPEN,
    READ,
    /** Reads the whole chunk with the first element of the box. */
    READ_CHUNK,
    CHUNKS,
    CHUNKS_IN_ORDER,
    BYTES,
    /** Reads {@link Halves}. */
    READ_DECODED,
    /** Streams the bytes of {@link Halves}. */
    BYTES_DECODED,
    /** Streams a formula of the array as a variable of a dataset, which has its elements. */
    FORMULA,
    /** Streams the greatest elements of {@link CalculatedElements#WINDOW} rows. */
    ROLLED,
    /** Finds the least and the greatest element, in several passes where they do not fit. */
    RANKED,
    /** Lists all keys of a version. */
    LIST,
    WRITE,
    /** Writes the fill value, by which chunks are erased. */
    CLEAR,
    /** Erases the node and all below it. */
    ERASE,
    /** Copies the array into another node of the same store. */
    COPY,
    /** Another program replaces one chunk, in no time. */
    FOREIGN_WRITE,
    /** Appends a block to the log, an array of its own. */
    APPEND,
    /** Another program appends a block to the log, in no time. */
    FOREIGN_APPEND,
    /** Commits to {@link SimulatedCommits}. */
    COMMIT,
    /** Commits in the place of the last commit of a branch. */
    AMEND,
    /** Makes, moves or deletes a branch or a tag. */
    REF,
    /** Reads all of the last snapshot of a branch. */
    LOOK,
    /** Expires snapshots of {@link SimulatedCommits}, collects garbage, or both. */
    CLEAN,
    /** Writes, grows or shrinks {@link GrowingArray}, after the last such operation. */
    GROW;

    boolean isForeign() {
      return this == FOREIGN_WRITE || this == FOREIGN_APPEND;
    }

    /** Returns true for what {@link SimulatedCommits} does. */
    boolean isOfHistory() {
      return this == COMMIT || this == AMEND || this == REF || this == LOOK || this == CLEAN;
    }

    boolean changes() {
      return this == WRITE || this == CLEAR || this == ERASE || this == FOREIGN_WRITE;
    }

    boolean isRead() {
      return switch (this) {
        case OPEN, READ, CHUNKS, CHUNKS_IN_ORDER, BYTES -> true;
        case READ_DECODED, BYTES_DECODED, FORMULA, ROLLED, RANKED, LIST -> true;
        default -> false;
      };
    }

    boolean isStream() {
      return switch (this) {
        case CHUNKS, CHUNKS_IN_ORDER, BYTES, BYTES_DECODED, FORMULA, ROLLED, RANKED, COPY -> true;
        default -> false;
      };
    }
  }

  /** Returns true for a read into memory of the caller, in which other elements are. */
  boolean isIntoMemory() {
    return kind == Kind.READ_DECODED && id % 2 == 0;
  }

  /** Returns true for a write of a stream of blocks, some rows each. */
  boolean isInBlocks() {
    return (kind == Kind.WRITE || kind == Kind.CLEAR) && id % 3 == 0 && !isInChunks();
  }

  /** Returns true for a write of a stream of chunks, of no grid and in any order. */
  boolean isInChunks() {
    return (kind == Kind.WRITE || kind == Kind.CLEAR) && id >= FIRST_IN_CHUNKS;
  }

  /** Returns the operation of another kind. */
  PlannedOperation as(Kind other) {
    return new PlannedOperation(id, other, startMicros, hierarchy, array, box, pace, cancelMicros);
  }

  /** Returns the operation, without a cancel where it is of a kind. */
  PlannedOperation withoutCancelOf(Kind other) {
    return kind == other
        ? new PlannedOperation(id, kind, startMicros, hierarchy, array, box, Pace.FAST, -1)
        : this;
  }

  /** Returns the operation without its cancel, by the first hierarchy, or with a fast consumer. */
  Stream<PlannedOperation> simpler() {
    return Stream.of(
        new PlannedOperation(id, kind, startMicros, hierarchy, array, box, pace, -1),
        new PlannedOperation(id, kind, startMicros, 0, array, box, pace, cancelMicros),
        new PlannedOperation(
            id, kind, startMicros, hierarchy, array, box, Pace.FAST, cancelMicros));
  }

  @Override
  public String toString() {
    return "at "
        + startMicros
        + " µs #"
        + id
        + " "
        + kind
        + " of array "
        + array
        + " "
        + box
        + (kind.isForeign() ? "" : " by hierarchy " + hierarchy)
        + (kind.isStream() ? ", " + pace : "")
        + (isInBlocks() ? ", in blocks" : isInChunks() ? ", in chunks" : "")
        + (cancelMicros < 0 ? "" : ", cancelled after " + cancelMicros + " µs");
  }
}
