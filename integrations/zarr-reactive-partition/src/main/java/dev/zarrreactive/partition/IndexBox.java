package dev.zarrreactive.partition;

import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Every combination of the indices of some dimensions: the cells that one split owns. Immutable and
 * serializable.
 *
 * @param dimensions the indices of each dimension, slowest first; a copy is kept
 */
public record IndexBox(List<IndexRanges> dimensions) implements Serializable {
  private static final long serialVersionUID = 1;

  /** Copies {@code dimensions}. */
  public IndexBox {
    dimensions = List.copyOf(dimensions);
  }

  /** Returns all cells of the extents. */
  public static IndexBox all(long... extents) {
    List<IndexRanges> all = new ArrayList<>();
    for (long extent : extents) {
      all.add(IndexRanges.of(0, extent));
    }
    return new IndexBox(all);
  }

  /** Returns the cells that have one of {@code indices} in a dimension, too. */
  public IndexBox and(int dimension, IndexRanges indices) {
    List<IndexRanges> some = new ArrayList<>(dimensions);
    some.set(dimension, some.get(dimension).and(indices));
    return new IndexBox(some);
  }

  /** The number of cells, at most {@link Long#MAX_VALUE}. */
  public long cells() {
    long cells = 1;
    for (IndexRanges indices : dimensions) {
      long count = indices.count();
      cells = count != 0 && cells > Long.MAX_VALUE / count ? Long.MAX_VALUE : cells * count;
    }
    return cells;
  }

  /** Returns the cells as a selection of an array of these dimensions. */
  public Selection selection() {
    return Selection.of(
        dimensions.stream().map(IndexRanges::selection).toArray(DimensionSelection[]::new));
  }
}
