package dev.zarrreactive.simulation;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.util.Arrays;

/** Elements at regular distances: in each dimension a first one, a number and a step. */
record Box(long[] first, long[] count, long[] step) {
  static Box of(long[] first, long[] count) {
    long[] step = new long[first.length];
    Arrays.fill(step, 1);
    return new Box(first, count, step);
  }

  static Box all(long... shape) {
    return of(new long[shape.length], shape);
  }

  /** The box of a part of the library's, which has been resolved. */
  static Box of(ResolvedSelection selection) {
    var axes = ((ResolvedSelection.Orthogonal) selection).axes();
    long[][] parts = new long[3][axes.size()];
    for (int d = 0; d < axes.size(); d++) {
      Axis.Range range = (Axis.Range) axes.get(d);
      parts[0][d] = range.start();
      parts[1][d] = range.count();
      parts[2][d] = range.step();
    }
    return new Box(parts[0], parts[1], parts[2]);
  }

  Selection selection() {
    DimensionSelection[] dimensions = new DimensionSelection[first.length];
    Arrays.setAll(dimensions, this::selection);
    return Selection.of(dimensions);
  }

  /** Returns the part of the selection in a dimension. */
  DimensionSelection selection(int d) {
    return DimensionSelection.slice(first[d], first[d] + (count[d] - 1) * step[d] + 1, step[d]);
  }

  Shape shape() {
    return Shape.of(count);
  }

  int size() {
    long size = 1;
    for (long each : count) {
      size *= each;
    }
    return (int) size;
  }

  /** Returns the index in the array, in C order, of the {@code position}th element of the box. */
  int index(int position, long... shape) {
    long index = 0;
    long rest = position;
    long unit = 1;
    for (int d = first.length - 1; d >= 0; d--) {
      index += (first[d] + rest % count[d] * step[d]) * unit;
      rest /= count[d];
      unit *= shape[d];
    }
    return (int) index;
  }

  /** Returns the indices in the array of all elements of the box. */
  int[] indices(long... shape) {
    int[] indices = new int[size()];
    Arrays.setAll(indices, position -> index(position, shape));
    return indices;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int d = 0; d < first.length; d++) {
      text.append(d == 0 ? "" : ",").append(first[d]);
      text.append(':').append(first[d] + (count[d] - 1) * step[d] + 1);
      text.append(step[d] == 1 ? "" : ":" + step[d]);
    }
    return text.append(']').toString();
  }
}
