package dev.zarrreactive.array;

import dev.zarrreactive.spi.Spi;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements that a selection takes along one dimension of a given extent. All are within bounds.
 */
@Spi
public sealed interface Axis {
  /** The number of elements taken. */
  long count();

  /** Returns the same elements relative to another origin. */
  Axis shifted(long by);

  /** Returns true if every element is inside a dimension of extent {@code extent}. */
  boolean isWithin(long extent);

  /**
   * The elements {@code start, start + step, ...}, {@code count} of them.
   *
   * @param dropped true for a single index, whose dimension the result does not have
   */
  record Range(long start, long count, long step, boolean dropped) implements Axis {
    @Override
    public Range shifted(long by) {
      return new Range(start + by, count, step, dropped);
    }

    @Override
    public boolean isWithin(long extent) {
      return count == 0
          || (count > 0
              && step > 0
              && start >= 0
              && start < extent
              && (extent - 1 - start) / step >= count - 1);
    }

    /** Returns the notation of NumPy. */
    @Override
    public String toString() {
      if (dropped) {
        return Long.toString(start);
      }
      long stop = count == 0 ? start : start + (count - 1) * step + 1;
      return start + ":" + stop + (step == 1 ? "" : ":" + step);
    }
  }

  /** The elements at {@code indices}, in any order; an index may repeat. */
  final class Indices implements Axis {
    private final long[] indices;

    /** Takes the elements at {@code indices}, each within bounds. */
    public Indices(long... indices) {
      this.indices = indices.clone();
    }

    @Override
    public long count() {
      return indices.length;
    }

    @Override
    public boolean isWithin(long extent) {
      return Arrays.stream(indices).allMatch(index -> index >= 0 && index < extent);
    }

    /** The index at {@code position} of the list. */
    public long index(int position) {
      return indices[position];
    }

    @Override
    public Indices shifted(long by) {
      return new Indices(Arrays.stream(indices).map(index -> index + by).toArray());
    }

    /** A copy of the indices. */
    public long[] toArray() {
      return indices.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Indices that && Arrays.equals(indices, that.indices);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(indices);
    }

    @Override
    public String toString() {
      return Arrays.toString(indices);
    }
  }
}
