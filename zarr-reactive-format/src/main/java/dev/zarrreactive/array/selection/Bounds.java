package dev.zarrreactive.array.selection;

import dev.zarrreactive.error.InvalidInputException;

/** Converts indices that may count from the end to absolute indices, and checks them. */
final class Bounds {
  private Bounds() {}

  /** Returns the absolute position. A negative one counts from the end. */
  static long absolute(long position, long extent) {
    return position < 0 ? position + extent : position;
  }

  /** Returns the absolute index of an element. */
  static long index(long index, int dimension, long extent) {
    long absolute = absolute(index, extent);
    if (absolute < 0 || absolute >= extent) {
      throw outOfBounds("index " + index, dimension, extent);
    }
    return absolute;
  }

  static InvalidInputException outOfBounds(String what, int dimension, long extent) {
    return new InvalidInputException(
        what + " is out of bounds for dimension " + dimension + " of extent " + extent);
  }
}
