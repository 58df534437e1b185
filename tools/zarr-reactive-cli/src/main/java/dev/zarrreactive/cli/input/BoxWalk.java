package dev.zarrreactive.cli.input;

import dev.zarrreactive.array.Shape;

/** Boxes of whole chunks that cover a shape, in the order of a file. */
final class BoxWalk {
  private final long[] shape;
  private final long[] box;
  private final long[] grid;
  private final boolean isFortran;
  private final long count;

  /** A box: its first element and its extents. */
  static final class Box {
    private final long[] from;
    private final long[] extents;

    /** Creates a box; the arrays stay as they are. */
    Box(long[] from, long[] extents) {
      this.from = from;
      this.extents = extents;
    }

    long[] from() {
      return from.clone();
    }

    long[] extents() {
      return extents.clone();
    }

    long count() {
      long count = 1;
      for (long extent : extents) {
        count *= extent;
      }
      return count;
    }
  }

  /**
   * Covers a shape.
   *
   * @param cell the shape of a chunk
   * @param most the most elements of a box that has several chunks
   * @param isFortran whether the first dimension varies fastest in the file
   */
  BoxWalk(Shape shape, long[] cell, long most, boolean isFortran) {
    this.shape = shape.toArray();
    this.isFortran = isFortran;
    int rank = shape.rank();
    this.box = new long[rank];
    for (int d = 0; d < rank; d++) {
      box[d] = Math.min(cell[d], Math.max(1, this.shape[d]));
    }
    long size = new Box(box, box).count();
    for (int i = 0; i < rank; i++) {
      int d = isFortran ? i : rank - 1 - i;
      long chunks = Math.max(1, most / size);
      size /= box[d];
      box[d] = Math.min(this.shape[d], box[d] * chunks);
      size = Math.max(1, size * box[d]);
      if (box[d] < this.shape[d]) {
        break;
      }
    }
    this.grid = new long[rank];
    long boxes = shape.isEmpty() ? 0 : 1;
    for (int d = 0; d < rank; d++) {
      grid[d] = box[d] == 0 ? 0 : (this.shape[d] + box[d] - 1) / box[d];
      boxes *= grid[d];
    }
    this.count = boxes;
  }

  /** Returns the number of boxes. */
  long count() {
    return count;
  }

  /**
   * Returns the number of the box that has an element.
   *
   * @param element the index of the element in each dimension
   */
  long numberOf(long[] element) {
    long number = 0;
    for (int i = shape.length - 1; i >= 0; i--) {
      int d = isFortran ? i : shape.length - 1 - i;
      number = number * grid[d] + element[d] / box[d];
    }
    return number;
  }

  /** Returns a box by its number in the order of the file. */
  Box box(long number) {
    int rank = shape.length;
    long[] from = new long[rank];
    long[] extents = new long[rank];
    long rest = number;
    for (int i = 0; i < rank; i++) {
      int d = isFortran ? i : rank - 1 - i;
      from[d] = rest % grid[d] * box[d];
      extents[d] = Math.min(box[d], shape[d] - from[d]);
      rest /= grid[d];
    }
    return new Box(from, extents);
  }
}
