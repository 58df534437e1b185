package dev.zarrreactive.cli.output;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The elements at the corners of a large selection, which are all that text for people shows of it:
 * the first and the last three along each dimension. So no other chunk is read.
 *
 * @param shape that of the whole selection
 * @param selection the elements at the corners, with repeated ones in place of those between, so
 *     that their text has its dots where that of the whole has them
 */
record Corners(Shape shape, Selection selection) {
  /** The elements up to which text shows all. */
  private static final int ALL_SHOWN = 1000;

  /** The elements at each end of a dimension. */
  private static final int AT_AN_END = 3;

  /** The most dimensions: of more, the repeated elements would be many. */
  private static final int MOST_DIMENSIONS = 6;

  /** Returns the corners of a selection of an array; empty where text shows all of it. */
  static Optional<Corners> of(Selection selection, Shape array) {
    if (!(selection.resolve(array) instanceof Orthogonal box)
        || box.shape().rank() > MOST_DIMENSIONS
        || box.shape().elementCountUpTo(ALL_SHOWN + 1) <= ALL_SHOWN) {
      return Optional.empty();
    }
    int[] extents = extents(box.shape());
    List<DimensionSelection> dimensions = new ArrayList<>();
    int drawn = 0;
    for (Axis axis : box.axes()) {
      dimensions.add(
          axis instanceof Axis.Range range && range.dropped()
              ? DimensionSelection.at(range.start())
              : ends(axis, extents[drawn++]));
    }
    return Optional.of(
        new Corners(box.shape(), Selection.of(dimensions.toArray(DimensionSelection[]::new))));
  }

  /** Returns extents with a gap in each long dimension, and with more elements than are shown. */
  private static int[] extents(Shape shape) {
    int[] extents = new int[shape.rank()];
    Arrays.setAll(extents, d -> (int) Math.min(shape.extent(d), 2 * AT_AN_END + 1));
    while (Arrays.stream(extents).asLongStream().reduce(1, (one, other) -> one * other)
        <= ALL_SHOWN) {
      int longest = 0;
      for (int d = 1; d < extents.length; d++) {
        double times = (double) shape.extent(d) / extents[d];
        longest = times > (double) shape.extent(longest) / extents[longest] ? d : longest;
      }
      extents[longest] = (int) Math.min(shape.extent(longest), 2L * extents[longest]);
    }
    return extents;
  }

  private static DimensionSelection ends(Axis axis, int extent) {
    long[] indices = new long[extent];
    for (int i = 0; i < extent; i++) {
      long position =
          axis.count() == extent || i < AT_AN_END
              ? i
              : i < extent - AT_AN_END ? 0 : axis.count() - extent + i;
      indices[i] =
          axis instanceof Axis.Range range
              ? range.start() + position * range.step()
              : ((Axis.Indices) axis).index((int) position);
    }
    return DimensionSelection.indices(indices);
  }

  /** Returns the text of the whole selection. */
  String text(NdArray corners) {
    String text = corners.toString();
    return corners.dataType() + " " + shape + text.substring(text.indexOf('\n'));
  }
}
