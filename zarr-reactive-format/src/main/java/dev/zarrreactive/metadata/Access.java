package dev.zarrreactive.metadata;

import java.util.Arrays;

/**
 * The access pattern of the readers of a new array: blocks, series or planes. {@link
 * ArrayMetadataBuilder#access} chooses the shapes of chunks and shards for it; it permits and
 * forbids nothing. Axes are counted from 0, the slowest. Immutable.
 */
public final class Access {
  private static final Access BLOCKS = new Access("blocks");

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

  /** Reads of boxes that are about as long in each dimension: chunks near to cubes. The default. */
  public static Access blocks() {
    return BLOCKS;
  }

  /**
   * Reads along one axis at few places, such as a time series at a point: chunks that are as long
   * as possible along the axis.
   */
  public static Access series(int axis) {
    return new Access("series", axis);
  }

  /**
   * Reads of planes that two axes span, such as a map at one time: chunks that are as large as
   * possible along both, and thin along the others.
   */
  public static Access planes(int first, int second) {
    if (first == second) {
      throw new IllegalArgumentException("two axes span a plane; found axis " + first + " twice");
    }
    return new Access("planes", first, second);
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
            "access: axis "
                + axis
                + " of "
                + this
                + " is beyond the "
                + rank
                + " dimensions of the array");
      }
    }
  }

  @Override
  public String toString() {
    return axes.length == 0 ? name : name + Arrays.toString(axes);
  }
}
