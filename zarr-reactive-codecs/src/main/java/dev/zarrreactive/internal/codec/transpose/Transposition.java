package dev.zarrreactive.internal.codec.transpose;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.element.StridedCopy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * A permutation of the dimensions of arrays of one shape and item size, in its simplest form.
 * Dimensions of extent 1 are dropped, neighbours that stay together are joined, and a joined last
 * dimension becomes a larger item. The remaining work is a loop over matrices, each transposed by
 * {@link MatrixTranspose}.
 */
final class Transposition {
  /** The fewest items that are worth a call. For fewer the loop runs along another dimension. */
  private static final int SMALL_MATRIX = 64;

  /** The length of a run along one dimension, after which the cache still holds the neighbours. */
  private static final int RUN = 512;

  /**
   * A dimension of the result.
   *
   * @param from the distance of neighbours in the source, in bytes
   * @param to their distance in the result, in bytes
   */
  private record Dimension(int extent, int from, int to) {}

  private final int size;
  private final int itemSize;
  private final List<Dimension> dimensions;

  private Transposition(int size, int itemSize, List<Dimension> dimensions) {
    this.size = size;
    this.itemSize = itemSize;
    this.dimensions = dimensions;
  }

  /**
   * Creates the permutation whose dimension {@code i} is dimension {@code order[i]} of {@code
   * shape}.
   */
  static Transposition of(Shape shape, int[] order, int itemSize) {
    int size = shape.byteSize(itemSize);
    if (size == 0) {
      return new Transposition(0, itemSize, List.of());
    }
    int[] from = new int[order.length];
    int stride = itemSize;
    for (int i = order.length - 1; i >= 0; i--) {
      from[i] = stride;
      stride *= (int) shape.extent(i);
    }
    List<Dimension> dimensions = new ArrayList<>();
    int to = size;
    for (int dimension : order) {
      int extent = (int) shape.extent(dimension);
      to /= extent;
      append(dimensions, new Dimension(extent, from[dimension], to));
    }
    int items = itemSize;
    int last = dimensions.size() - 1;
    if (last >= 0 && dimensions.get(last).from() == itemSize) {
      items *= dimensions.remove(last).extent();
    }
    return new Transposition(size, items, List.copyOf(dimensions));
  }

  private static void append(List<Dimension> dimensions, Dimension next) {
    if (next.extent() == 1) {
      return;
    }
    if (!dimensions.isEmpty()) {
      Dimension last = dimensions.get(dimensions.size() - 1);
      if (last.from() == next.extent() * next.from()) {
        dimensions.remove(last);
        next = new Dimension(last.extent() * next.extent(), next.from(), next.to());
      }
    }
    dimensions.add(next);
  }

  /** Returns the permuted items, {@code source} itself if they stay in place. */
  Bytes apply(Bytes source) {
    if (dimensions.isEmpty()) {
      return source;
    }
    byte[] array = source.unsafeArray();
    byte[] result = new byte[size];
    List<Dimension> loops = new ArrayList<>(dimensions);
    Dimension longest = Collections.max(loops, Comparator.comparingInt(Dimension::extent));
    // The dimension with adjacent items in the result and the one with adjacent items in the
    // source make the matrix.
    Dimension rows = loops.remove(loops.size() - 1);
    Dimension columns =
        loops.stream().filter(dimension -> dimension.from() == itemSize).findFirst().orElseThrow();
    loops.remove(columns);
    if (rows.extent() * columns.extent() < SMALL_MATRIX && loops.contains(longest)) {
      loops.remove(longest);
      loops.add(columns);
      loops.add(rows);
      for (int i = 0; i < longest.extent(); i += RUN) {
        int from = source.unsafeOffset() + i * longest.from();
        int to = i * longest.to();
        int run = Math.min(RUN, longest.extent() - i);
        forEach(
            loops,
            from,
            to,
            (f, t) ->
                StridedCopy.copy(itemSize, array, f, longest.from(), result, t, longest.to(), run));
      }
    } else {
      MatrixTranspose matrix =
          new MatrixTranspose(itemSize, rows.extent(), columns.extent(), rows.from(), columns.to());
      forEach(loops, source.unsafeOffset(), 0, (f, t) -> matrix.apply(array, f, result, t));
    }
    return Bytes.wrap(result);
  }

  /** A step at an index of the source and an index of the result. */
  private interface Step {
    void at(int from, int to);
  }

  private static void forEach(List<Dimension> loops, int from, int to, Step step) {
    int[] index = new int[loops.size()];
    while (true) {
      step.at(from, to);
      int i = index.length - 1;
      for (; i >= 0 && ++index[i] == loops.get(i).extent(); i--) {
        Dimension done = loops.get(i);
        from -= (done.extent() - 1) * done.from();
        to -= (done.extent() - 1) * done.to();
        index[i] = 0;
      }
      if (i < 0) {
        return;
      }
      from += loops.get(i).from();
      to += loops.get(i).to();
    }
  }
}
