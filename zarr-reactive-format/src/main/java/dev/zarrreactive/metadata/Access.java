package dev.zarrreactive.metadata;

import java.util.Arrays;

/**
 * The reads that chunks and shards are chosen for, see {@link ArrayMetadataBuilder#readAlong}. Axes
 * are counted from 0, the slowest. Immutable.
 */
final class Access {
  private static final Access BLOCKS = new Access("readInBlocks");

  private final String name;
  private final int[] axes;

  private Access(String name, int... axes) {
    this.name = name;
    this.axes = axes;
    for (int axis : axes) {
      if (axis < 0) {
        throw new IllegalArgumentException("axis " + axis + " of " + name + "; expected 0 or more");
      }
    }
  }

  static Access blocks() {
    return BLOCKS;
  }

  static Access series(int axis) {
    return new Access("readAlong", axis);
  }

  static Access planes(int first, int second) {
    if (first == second) {
      throw new IllegalArgumentException("two axes span a plane; found axis " + first + " twice");
    }
    return new Access("readInPlanes", first, second);
  }

  /** The axes along which chunks are long; empty for blocks. */
  int[] axes() {
    return axes.clone();
  }

  /** Refuses a hint for another array. */
  void checkRank(int rank) {
    for (int axis : axes) {
      if (axis >= rank) {
        throw new IllegalArgumentException(
            name + ": axis " + axis + " is beyond the " + rank + " dimensions of the array");
      }
    }
  }

  @Override
  public String toString() {
    return axes.length == 0 ? name : name + Arrays.toString(axes);
  }
}
