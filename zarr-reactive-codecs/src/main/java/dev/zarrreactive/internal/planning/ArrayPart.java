package dev.zarrreactive.internal.planning;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of an array: of each dimension some indices. It has as many dimensions as the array. */
public final class ArrayPart {
  private final Shape source;
  private final List<Axis> axes;

  private ArrayPart(Shape source, List<Axis> axes) {
    this.source = source;
    this.axes = axes;
  }

  /** Returns the part that a selection without dropped dimensions takes. */
  public static ArrayPart of(Shape source, ResolvedSelection.Orthogonal box) {
    return new ArrayPart(source, box.axes());
  }

  /**
   * Resolves a selection, null for the whole array.
   *
   * @throws IllegalArgumentException for one that does not fit, drops a dimension, or takes points
   */
  public static ArrayPart of(Shape source, @Nullable Selection selection) {
    Selection chosen = selection == null ? Selection.all() : selection;
    if (!(chosen.resolve(source) instanceof ResolvedSelection.Orthogonal box)) {
      throw new IllegalArgumentException(
          "cannot copy points or a mask; select along each dimension");
    }
    for (Axis axis : box.axes()) {
      if (axis instanceof Axis.Range range && range.dropped()) {
        throw new IllegalArgumentException(
            "cannot copy the index "
                + range.start()
                + ", which drops a dimension; the slice "
                + range.start()
                + ":"
                + (range.start() + 1)
                + " keeps it");
      }
    }
    return new ArrayPart(source, box.axes());
  }

  /** Returns the shape of the elements. */
  public Shape shape() {
    return Shape.of(axes.stream().mapToLong(Axis::count).toArray());
  }

  /** Returns whether this is the whole array. */
  public boolean isWhole() {
    for (int d = 0; d < axes.size(); d++) {
      if (!(axes.get(d) instanceof Axis.Range range)
          || (range.step() != 1 && range.count() > 1)
          || range.count() != source.extent(d)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the elements of each dimension are evenly spaced, and {@link #box} works. */
  public boolean isSpaced() {
    return axes.stream().allMatch(Axis.Range.class::isInstance);
  }

  /** Returns the selection in the array of a box in the part. */
  public Selection selection(long[] start, long[] end) {
    DimensionSelection[] dimensions = new DimensionSelection[start.length];
    Arrays.setAll(dimensions, d -> dimension(axes.get(d), start[d], end[d]));
    return Selection.of(dimensions);
  }

  private static DimensionSelection dimension(Axis axis, long start, long end) {
    if (axis instanceof Axis.Range range) {
      long from = range.start() + start * range.step();
      return start >= end
          ? DimensionSelection.slice(0, 0)
          : DimensionSelection.slice(
              from, from + (end - 1 - start) * range.step() + 1, range.step());
    }
    long[] indices = ((Axis.Indices) axis).toArray();
    return DimensionSelection.indices(
        Arrays.copyOfRange(indices, Math.toIntExact(start), Math.toIntExact(end)));
  }

  /**
   * Returns the box of the part that has the elements of a box of the array: the first index of
   * each dimension and the one behind the last. Null if there is none.
   */
  public long @Nullable [][] box(long[] start, long[] end) {
    long[] first = new long[start.length];
    long[] behind = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      Axis.Range range = (Axis.Range) axes.get(d);
      first[d] = Math.max(0, -Math.floorDiv(range.start() - start[d], range.step()));
      behind[d] = Math.min(range.count(), -Math.floorDiv(range.start() - end[d], range.step()));
      if (first[d] >= behind[d]) {
        return null;
      }
    }
    return new long[][] {first, behind};
  }
}
