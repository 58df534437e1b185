package dev.zarrreactive.cli.output;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ResolvedSelection.Orthogonal;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.internal.planning.Bands;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The bands of a selection, as selections that an array can read: parts that follow one another in
 * C order. Dimensions that an index took away come back with the extent 1, which changes no byte.
 */
final class BandSelections {
  private BandSelections() {}

  /**
   * Returns the bands of {@code selection}, none larger than {@code most} bytes unless it is one
   * element, made as they are asked for.
   */
  static Stream<Selection> of(Orthogonal selection, ChunkGrid grid, int itemSize, long most) {
    Function<Orthogonal, Selection> band =
        part ->
            Selection.of(
                part.axes().stream().map(BandSelections::entry).toArray(DimensionSelection[]::new));
    return StreamSupport.stream(
            Bands.of(selection, grid, itemSize, most, most).spliterator(), false)
        .map(Orthogonal.class::cast)
        .map(band);
  }

  private static DimensionSelection entry(Axis axis) {
    if (axis instanceof Axis.Indices list) {
      return DimensionSelection.indices(list.toArray());
    }
    Axis.Range range = (Axis.Range) axis;
    if (range.count() == 0) {
      return DimensionSelection.slice(0, 0);
    }
    long last = range.start() + (range.count() - 1) * range.step();
    return DimensionSelection.slice(range.start(), last + 1, range.step());
  }
}
