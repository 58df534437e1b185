package dev.zarrreactive.array.selection;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.error.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A box of elements at an absolute offset. */
final class BoxSelection implements Selection {
  private final long[] offset;
  private final long[] stop;
  private final boolean clipped;

  private BoxSelection(BoxSelection box, boolean clipped) {
    this.offset = box.offset;
    this.stop = box.stop;
    this.clipped = clipped;
  }

  BoxSelection(long[] offset, long[] shape) {
    if (offset.length != shape.length) {
      throw new InvalidInputException(
          "a box at " + Arrays.toString(offset) + " cannot have shape " + Arrays.toString(shape));
    }
    this.offset = offset.clone();
    this.stop = new long[offset.length];
    this.clipped = false;
    for (int i = 0; i < offset.length; i++) {
      if (offset[i] < 0 || shape[i] < 0 || offset[i] > Long.MAX_VALUE - shape[i]) {
        throw new InvalidInputException(
            "a box at "
                + Arrays.toString(offset)
                + " of shape "
                + Arrays.toString(shape)
                + " is negative or beyond 2^63 in dimension "
                + i);
      }
      stop[i] = offset[i] + shape[i];
    }
  }

  @Override
  public ResolvedSelection resolve(Shape shape) {
    if (offset.length != shape.rank()) {
      throw new InvalidInputException(
          "a box of rank " + offset.length + " in an array of shape " + shape);
    }
    List<Axis> axes = new ArrayList<>(offset.length);
    for (int i = 0; i < offset.length; i++) {
      axes.add(slice(i).resolve(i, shape.extent(i)));
    }
    return new ResolvedSelection.Orthogonal(axes);
  }

  private Slice slice(int dimension) {
    return new Slice(offset[dimension], stop[dimension], 1, clipped);
  }

  @Override
  public Selection clipped() {
    return new BoxSelection(this, true);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BoxSelection that
        && Arrays.equals(offset, that.offset)
        && Arrays.equals(stop, that.stop)
        && clipped == that.clipped;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offset) + Arrays.hashCode(stop);
  }

  @Override
  public String toString() {
    return IntStream.range(0, offset.length)
        .mapToObj(dimension -> slice(dimension).toString())
        .collect(Collectors.joining(","));
  }
}
