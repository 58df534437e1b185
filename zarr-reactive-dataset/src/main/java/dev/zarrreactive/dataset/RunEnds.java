package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import java.util.Arrays;

/** The places along a dimension where chunks end. */
final class RunEnds {
  private RunEnds() {}

  /**
   * Returns the position after the last one of each run of positions that are in one chunk, in
   * ascending order; one run where no chunk is preferred.
   */
  static long[] of(VariableValues values, int dimension) {
    long[] known = values.edges(dimension);
    long size = values.shape().extent(dimension);
    if (known.length > 0) {
      return known;
    } else if (values.chunk(dimension).isEmpty()) {
      return size == 0 ? new long[0] : new long[] {size};
    }
    long chunk = values.chunk(dimension).orElseThrow();
    DimensionPart part = new DimensionPart(values.divided(dimension));
    return part.axis() instanceof Axis.Range range ? ofRange(range, chunk) : ofList(part, chunk);
  }

  private static long[] ofRange(Axis.Range range, long chunk) {
    long[] ends =
        new long
            [Math.toIntExact(
                Math.min(range.count(), 1 + range.count() * range.step() / chunk + 1))];
    int found = 0;
    for (long position = 0; position < range.count(); ) {
      long stored = range.start() + position * range.step();
      long edge = (stored / chunk + 1) * chunk;
      position = Math.min(range.count(), (edge - range.start() + range.step() - 1) / range.step());
      ends[found++] = position;
    }
    return Arrays.copyOf(ends, found);
  }

  private static long[] ofList(DimensionPart part, long chunk) {
    int size = (int) part.size();
    long[] ends = new long[size];
    int found = 0;
    for (int i = 1; i <= size; i++) {
      if (i == size || part.index(i) / chunk != part.index(i - 1) / chunk) {
        ends[found++] = i;
      }
    }
    return Arrays.copyOf(ends, found);
  }
}
