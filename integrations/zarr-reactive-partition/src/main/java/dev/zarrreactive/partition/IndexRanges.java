package dev.zarrreactive.partition;

import dev.zarrreactive.array.selection.DimensionSelection;
import java.io.Serializable;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A set of indices of one dimension, as runs of consecutive ones in ascending order. Immutable and
 * serializable.
 */
public final class IndexRanges implements Serializable {
  private static final long serialVersionUID = 1;
  private static final IndexRanges NONE = new IndexRanges(new long[0]);

  /** The first index of each run and the one after its last; each bound is above the one before. */
  private final long[] bounds;

  private IndexRanges(long[] bounds) {
    this.bounds = bounds;
  }

  /** Returns no index. */
  public static IndexRanges none() {
    return NONE;
  }

  /**
   * Returns the indices from {@code start} to before {@code stop}.
   *
   * @throws IllegalArgumentException if {@code start} is negative
   */
  public static IndexRanges of(long start, long stop) {
    if (start < 0) {
      throw new IllegalArgumentException("an index is not negative, but " + start);
    }
    return start >= stop ? NONE : new IndexRanges(new long[] {start, stop});
  }

  /** Returns the given indices, which may be in any order and repeat. */
  public static IndexRanges ofIndices(long... indices) {
    long[] sorted = indices.clone();
    Arrays.sort(sorted);
    Builder builder = new Builder();
    for (long index : sorted) {
      builder.add(index, index + 1);
    }
    return builder.build();
  }

  /** Returns those of the first {@code size} indices that have a property. */
  public static IndexRanges where(int size, IntPredicate property) {
    Builder builder = new Builder();
    int start = -1;
    for (int i = 0; i < size; i++) {
      boolean has = property.test(i);
      if (has && start < 0) {
        start = i;
      } else if (!has && start >= 0) {
        builder.add(start, i);
        start = -1;
      }
    }
    if (start >= 0) {
      builder.add(start, size);
    }
    return builder.build();
  }

  /** Collects runs in ascending order; runs that touch become one. */
  public static final class Builder {
    private long[] bounds = new long[8];
    private int size;

    /** Creates a builder without indices. */
    public Builder() {}

    /** Adds the indices from {@code start}, which is not before an earlier one, to {@code stop}. */
    public void add(long start, long stop) {
      if (start >= stop) {
        return;
      }
      if (size > 0 && bounds[size - 1] >= start) {
        bounds[size - 1] = Math.max(bounds[size - 1], stop);
        return;
      }
      if (size == bounds.length) {
        bounds = Arrays.copyOf(bounds, 2 * size);
      }
      bounds[size++] = start;
      bounds[size++] = stop;
    }

    /** Returns the indices that were added. */
    public IndexRanges build() {
      return size == 0 ? NONE : new IndexRanges(Arrays.copyOf(bounds, size));
    }
  }

  /** The number of runs. */
  public int runs() {
    return bounds.length / 2;
  }

  /** The first index of a run. */
  public long start(int run) {
    return bounds[2 * run];
  }

  /** The index after the last one of a run. */
  public long stop(int run) {
    return bounds[2 * run + 1];
  }

  /** Returns true if there is no index. */
  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /** The number of indices. */
  public long count() {
    long count = 0;
    for (int run = 0; run < runs(); run++) {
      count += stop(run) - start(run);
    }
    return count;
  }

  /** Returns the index at a position of the set, in ascending order. */
  public long index(long position) {
    long left = position;
    for (int run = 0; run < runs(); run++) {
      long length = stop(run) - start(run);
      if (left < length && left >= 0) {
        return start(run) + left;
      }
      left -= length;
    }
    throw new IndexOutOfBoundsException("position " + position + " of " + count() + " indices");
  }

  /** Returns the indices that both have. */
  public IndexRanges and(IndexRanges other) {
    Builder builder = new Builder();
    int mine = 0;
    int theirs = 0;
    while (mine < runs() && theirs < other.runs()) {
      builder.add(
          Math.max(start(mine), other.start(theirs)), Math.min(stop(mine), other.stop(theirs)));
      if (stop(mine) < other.stop(theirs)) {
        mine++;
      } else {
        theirs++;
      }
    }
    return builder.build();
  }

  /** Returns the indices that one of the two has. */
  public IndexRanges or(IndexRanges other) {
    Builder builder = new Builder();
    int mine = 0;
    int theirs = 0;
    while (mine < runs() || theirs < other.runs()) {
      if (theirs == other.runs() || (mine < runs() && start(mine) <= other.start(theirs))) {
        builder.add(start(mine), stop(mine));
        mine++;
      } else {
        builder.add(other.start(theirs), other.stop(theirs));
        theirs++;
      }
    }
    return builder.build();
  }

  /** Returns those indices below {@code size} that this set lacks. */
  public IndexRanges complement(long size) {
    Builder builder = new Builder();
    long next = 0;
    for (int run = 0; run < runs(); run++) {
      builder.add(next, Math.min(size, start(run)));
      next = stop(run);
    }
    builder.add(next, size);
    return builder.build();
  }

  /** Returns the indices from {@code from} to before {@code to}. */
  public IndexRanges slice(long from, long to) {
    return and(of(from, to));
  }

  /**
   * Returns the places of these indices among those of {@code whole}, counted from zero: the
   * indices of an array that was read with {@code whole.selection()}.
   *
   * @throws IllegalArgumentException if {@code whole} lacks one of them
   */
  public IndexRanges within(IndexRanges whole) {
    Builder builder = new Builder();
    long before = 0;
    int run = 0;
    for (int i = 0; i < runs(); i++) {
      while (run < whole.runs() && whole.stop(run) <= start(i)) {
        before += whole.stop(run) - whole.start(run);
        run++;
      }
      if (run == whole.runs() || start(i) < whole.start(run) || stop(i) > whole.stop(run)) {
        throw new IllegalArgumentException(whole + " lacks some of " + this);
      }
      long shift = before - whole.start(run);
      builder.add(start(i) + shift, stop(i) + shift);
    }
    return builder.build();
  }

  /**
   * Returns the indices as a selection of their dimension: a slice of one run, else a list.
   *
   * @throws IllegalArgumentException if a list is longer than an array can be
   */
  public DimensionSelection selection() {
    if (runs() == 1) {
      return DimensionSelection.slice(start(0), stop(0));
    }
    return DimensionSelection.indices(toArray());
  }

  /**
   * Returns the indices one by one.
   *
   * @throws IllegalArgumentException if they are more than an array can have
   */
  public long[] toArray() {
    long count = count();
    if (count > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(count + " indices are too many for a list");
    }
    long[] all = new long[(int) count];
    int next = 0;
    for (int run = 0; run < runs(); run++) {
      for (long index = start(run); index < stop(run); index++) {
        all[next++] = index;
      }
    }
    return all;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexRanges that && Arrays.equals(bounds, that.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** Returns the runs in the notation of slices: {@code 0:3,7:8}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int run = 0; run < runs(); run++) {
      text.append(run == 0 ? "" : ",").append(start(run)).append(':').append(stop(run));
    }
    return text.toString();
  }
}
