package dev.zarrreactive.array;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of an array's elements among the elements of its memory: the number of the first one,
 * and for each dimension the difference from one index to the next. A difference of 0 repeats
 * elements, as a broadcast does. Immutable.
 */
final class Layout {
  /** The most elements of a row that {@link #forEachRow} passes. */
  static final int LONGEST_ROW = 1 << 16;

  private final Shape shape;
  private final long first;
  private final long[] strides;

  private Layout(Shape shape, long first, long... strides) {
    this.shape = shape;
    this.first = first;
    this.strides = strides;
  }

  /** Returns the layout of an array whose memory has its elements alone, in C order. */
  static Layout inOrder(Shape shape) {
    return new Layout(shape, 0, strides(shape));
  }

  private static long[] strides(Shape shape) {
    long[] strides = new long[shape.rank()];
    long stride = 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= shape.extent(d);
    }
    return strides;
  }

  Shape shape() {
    return shape;
  }

  /** The number of the first element. */
  int first() {
    return (int) first;
  }

  /** The difference of the numbers of neighbours along a dimension. */
  long stride(int dimension) {
    return strides[dimension];
  }

  /** Returns true if the elements follow each other in C order from the first one on. */
  boolean isInOrder() {
    if (shape.isEmpty()) {
      return true;
    }
    long stride = 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      if (shape.extent(d) != 1 && strides[d] != stride) {
        return false;
      }
      stride *= shape.extent(d);
    }
    return true;
  }

  /** Returns the number of an element by its index, which is checked. */
  int number(long... index) {
    shape.checkIndex(index);
    long number = first;
    for (int d = 0; d < strides.length; d++) {
      number += index[d] * strides[d];
    }
    return (int) number;
  }

  /** Returns the number of an element by its position in C order. */
  int numberAt(long position) {
    return number(shape.indexAt(position));
  }

  /** Returns the selected elements, or null if the selection has lists of indices or points. */
  @Nullable Layout select(ResolvedSelection selection) {
    if (!(selection instanceof ResolvedSelection.Orthogonal box)
        || !box.axes().stream().allMatch(Axis.Range.class::isInstance)) {
      return null;
    }
    List<Axis.Range> ranges = box.axes().stream().map(Axis.Range.class::cast).toList();
    long start = first;
    int rank = (int) ranges.stream().filter(range -> !range.dropped()).count();
    long[] extents = new long[rank];
    long[] steps = new long[rank];
    int kept = 0;
    for (int d = 0; d < strides.length; d++) {
      Axis.Range range = ranges.get(d);
      start += range.count() == 0 ? 0 : range.start() * strides[d];
      if (!range.dropped()) {
        extents[kept] = range.count();
        steps[kept++] = range.step() * strides[d];
      }
    }
    return new Layout(Shape.of(extents), start, steps);
  }

  /** Returns the numbers of the elements of any selection, in C order of its result. */
  int[] numbers(ResolvedSelection selection) {
    if (selection instanceof ResolvedSelection.Points points) {
      return IntStream.range(0, points.count()).map(point -> number(points, point)).toArray();
    }
    int[] numbers = {first()};
    List<Axis> axes = ((ResolvedSelection.Orthogonal) selection).axes();
    for (int d = 0; d < axes.size(); d++) {
      int[] offsets = offsets(axes.get(d), strides[d]);
      int[] outer = numbers;
      numbers =
          Arrays.stream(outer)
              .flatMap(number -> Arrays.stream(offsets).map(offset -> number + offset))
              .toArray();
    }
    return numbers;
  }

  private static int[] offsets(Axis axis, long stride) {
    return IntStream.range(0, (int) axis.count())
        .map(i -> (int) (stride * index(axis, i)))
        .toArray();
  }

  private static long index(Axis axis, int i) {
    return axis instanceof Axis.Indices list
        ? list.index(i)
        : ((Axis.Range) axis).start() + i * ((Axis.Range) axis).step();
  }

  private int number(ResolvedSelection.Points points, int point) {
    long number = first;
    for (int d = 0; d < strides.length; d++) {
      number += points.index(d, point) * strides[d];
    }
    return (int) number;
  }

  /** Returns these dimensions in the given order; of a negative number, one of extent 1. */
  Layout dimensions(int... order) {
    long[] extents = new long[order.length];
    long[] steps = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      extents[i] = order[i] < 0 ? 1 : shape.extent(order[i]);
      steps[i] = order[i] < 0 ? 0 : strides[order[i]];
    }
    return new Layout(Shape.of(extents), first, steps);
  }

  /**
   * Returns the elements repeated along dimensions of extent 1 and along further ones in front.
   *
   * @throws IllegalArgumentException if the shapes differ in another way
   */
  Layout broadcast(Shape target) {
    if (!canBroadcast(shape, target)) {
      throw new IllegalArgumentException(
          "an array of shape " + shape + " cannot be broadcast to shape " + target);
    }
    int more = target.rank() - shape.rank();
    long[] steps = new long[target.rank()];
    for (int d = 0; d < strides.length; d++) {
      steps[more + d] = shape.extent(d) == target.extent(more + d) ? strides[d] : 0;
    }
    return new Layout(target, first, steps);
  }

  /** Returns true if the extents are equal or 1, counted from the last dimension. */
  static boolean canBroadcast(Shape shape, Shape target) {
    int more = target.rank() - shape.rank();
    boolean fits = more >= 0;
    for (int d = 0; fits && d < shape.rank(); d++) {
      fits = shape.extent(d) == target.extent(more + d) || shape.extent(d) == 1;
    }
    return fits;
  }

  /** Work on elements at equal distances. */
  interface RowAction {
    /**
     * Works on a row.
     *
     * @param first the number of the first element
     * @param stride the difference from one element to the next
     * @param count the number of elements, at least 1
     */
    void row(int first, int stride, int count);
  }

  /** Passes all elements in C order, in rows that are as long as they can be. */
  void forEachRow(RowAction action) {
    if (shape.isEmpty()) {
      return;
    }
    long[] extents = new long[strides.length + 1];
    long[] steps = new long[strides.length + 1];
    extents[0] = 1;
    int last = 0; // dimensions whose elements are at equal distances are joined
    for (int d = 0; d < strides.length; d++) {
      long extent = shape.extent(d);
      boolean joined = extents[last] == 1 || steps[last] == strides[d] * extent;
      if (extent != 1 && joined && extents[last] <= Long.MAX_VALUE / extent) {
        extents[last] *= extent;
        steps[last] = strides[d];
      } else if (extent != 1) {
        extents[++last] = extent;
        steps[last] = strides[d];
      }
    }
    long[] index = new long[last];
    long number = first;
    int d;
    do {
      for (long done = 0; done < extents[last]; done += LONGEST_ROW) {
        int count = (int) Math.min(LONGEST_ROW, extents[last] - done);
        action.row((int) (number + done * steps[last]), (int) steps[last], count);
      }
      for (d = last - 1; d >= 0; d--) {
        number += steps[d];
        if (++index[d] < extents[d]) {
          break;
        }
        number -= extents[d] * steps[d];
        index[d] = 0;
      }
    } while (d >= 0);
  }
}
