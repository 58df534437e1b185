package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.error.InvalidInputException;
import org.jspecify.annotations.Nullable;

/**
 * A slice of NumPy with a positive step.
 *
 * @param from the first index, or null for the beginning
 * @param to the end, exclusive, or null for the end of the dimension
 * @param step the distance between two indices
 * @param clipped true if ends outside of the dimension mean its ends, false if they are refused
 */
record Slice(@Nullable Long from, @Nullable Long to, long step, boolean clipped)
    implements DimensionSelection {
  static final Slice FULL = new Slice(null, null, 1);

  Slice {
    if (step <= 0) {
      throw new InvalidInputException("the step of a slice is positive, not " + step);
    }
  }

  Slice(@Nullable Long from, @Nullable Long to, long step) {
    this(from, to, step, false);
  }

  Slice clip() {
    return new Slice(from, to, step, true);
  }

  @Override
  public Axis resolve(int dimension, long extent) {
    long start = from == null ? 0 : end(from, dimension, extent);
    long stop = to == null ? extent : end(to, dimension, extent);
    long count = stop <= start ? 0 : (stop - start - 1) / step + 1;
    return new Axis.Range(start, count, count > 1 ? step : 1, false);
  }

  private long end(long position, int dimension, long extent) {
    long absolute = Bounds.absolute(position, extent);
    if (clipped) {
      return Math.max(0, Math.min(absolute, extent));
    }
    if (absolute < 0 || absolute > extent) {
      throw Bounds.outOfBounds("slice " + this, dimension, extent);
    }
    return absolute;
  }

  @Override
  public String toString() {
    return (from == null ? "" : from)
        + ":"
        + (to == null ? "" : to)
        + (step == 1 ? "" : ":" + step);
  }
}
