package dev.zarrreactive.partition;

import dev.zarrreactive.chunkgrid.ChunkEdges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of several dimensions for which a condition is true, such as one on {@code lat(y, x)}.
 * Cells of this kind make no {@link IndexBox}: a mask leaves out chunks that have none of them, and
 * the engine applies the condition to the others. Immutable and thread-safe.
 */
public final class CellMask {
  private final int[] dimensions;
  private final long[] extents;
  private final IndexRanges cells;

  private CellMask(int[] dimensions, long[] extents, IndexRanges cells) {
    this.dimensions = dimensions;
    this.extents = extents;
    this.cells = cells;
  }

  /**
   * Creates a mask.
   *
   * @param dimensions the dimensions of the selection that the cells have, in any order
   * @param extents the extents of these dimensions
   * @param cells the places of the cells, counted in C order over {@code extents}
   * @throws IllegalArgumentException if a cell is outside, or there are more than 2^31 - 1 places
   */
  public static CellMask of(int[] dimensions, long[] extents, IndexRanges cells) {
    long places = IndexBox.all(extents).cells();
    if (dimensions.length != extents.length
        || places > Integer.MAX_VALUE
        || (!cells.isEmpty() && cells.stop(cells.runs() - 1) > places)) {
      throw new IllegalArgumentException(
          "no mask of the dimensions "
              + Arrays.toString(dimensions)
              + ", whose extents are "
              + Arrays.toString(extents)
              + ", has the places "
              + cells);
    }
    return new CellMask(dimensions.clone(), extents.clone(), cells);
  }

  /**
   * Creates the mask of the cells that any of some boxes has.
   *
   * @param dimensions the dimensions of the boxes that the mask has; the others are whole
   * @param extents the extents of these dimensions
   * @throws IllegalArgumentException if there are more than 2^31 - 1 places
   */
  public static CellMask ofBoxes(int[] dimensions, long[] extents, List<IndexBox> boxes) {
    CellMask all = of(dimensions, extents, IndexRanges.of(0, IndexBox.all(extents).cells()));
    BitSet places = new BitSet();
    for (IndexBox box : boxes) {
      all.add(box, 0, 0, places);
    }
    return new CellMask(
        all.dimensions, all.extents, IndexRanges.where(places.length(), places::get));
  }

  /** Adds the places of a box, whose indices of the dimensions before {@code axis} are known. */
  private void add(IndexBox box, int axis, long place, BitSet places) {
    if (axis == dimensions.length) {
      places.set((int) place);
      return;
    }
    IndexRanges indices = box.dimensions().get(dimensions[axis]);
    for (int run = 0; run < indices.runs(); run++) {
      long from = place * extents[axis] + indices.start(run);
      long to = place * extents[axis] + indices.stop(run);
      if (axis == dimensions.length - 1) {
        places.set((int) from, (int) to);
        continue;
      }
      for (long next = from; next < to; next++) {
        add(box, axis + 1, next, places);
      }
    }
  }

  /** Returns true if both masks have the same dimensions, in the same order. */
  public boolean isLike(CellMask other) {
    return Arrays.equals(dimensions, other.dimensions);
  }

  /**
   * Returns the cells that both masks have.
   *
   * @throws IllegalArgumentException if the masks differ in their dimensions
   */
  public CellMask and(CellMask other) {
    if (!isLike(other)) {
      throw new IllegalArgumentException(
          "masks of the dimensions "
              + Arrays.toString(dimensions)
              + " and "
              + Arrays.toString(other.dimensions));
    }
    return new CellMask(dimensions, extents, cells.and(other.cells));
  }

  /** Receives the indices of a cell, in the mask's order of dimensions; they change afterwards. */
  @FunctionalInterface
  private interface Visitor {
    void visit(int[] index);
  }

  /** Visits the cells of the mask that a selection has. */
  private void visit(IndexBox selected, Visitor visitor) {
    BitSet[] wanted = new BitSet[dimensions.length];
    for (int axis = 0; axis < dimensions.length; axis++) {
      wanted[axis] = bits(selected.dimensions().get(dimensions[axis]));
    }
    int[] index = new int[dimensions.length];
    for (int run = 0; run < cells.runs(); run++) {
      long left = cells.start(run);
      for (int axis = index.length - 1; axis >= 0; axis--) {
        index[axis] = (int) (left % extents[axis]);
        left /= extents[axis];
      }
      for (long cell = cells.start(run); cell < cells.stop(run); cell++) {
        boolean has = true;
        for (int axis = 0; has && axis < index.length; axis++) {
          has = wanted[axis].get(index[axis]);
        }
        if (has) {
          visitor.visit(index);
        }
        int axis = index.length - 1;
        while (axis >= 0 && ++index[axis] == extents[axis]) {
          index[axis--] = 0;
        }
      }
    }
  }

  private static BitSet bits(IndexRanges indices) {
    BitSet bits = new BitSet();
    for (int run = 0; run < indices.runs(); run++) {
      bits.set((int) indices.start(run), (int) indices.stop(run));
    }
    return bits;
  }

  /**
   * Returns the least box that has all cells of {@code selected} for which the condition is true.
   *
   * @param mostRuns the most runs of one dimension; where there are more, all between the first and
   *     the last selected index stay
   */
  public IndexBox narrow(IndexBox selected, int mostRuns) {
    BitSet[] found = new BitSet[dimensions.length];
    Arrays.setAll(found, axis -> new BitSet());
    visit(
        selected,
        index -> {
          for (int axis = 0; axis < index.length; axis++) {
            found[axis].set(index[axis]);
          }
        });
    IndexBox narrow = selected;
    for (int axis = 0; axis < found.length; axis++) {
      BitSet has = found[axis];
      IndexRanges indices = IndexRanges.where(has.length(), has::get);
      if (indices.runs() > mostRuns) {
        indices = IndexRanges.of(indices.start(0), indices.stop(indices.runs() - 1));
      }
      narrow = narrow.and(dimensions[axis], indices);
    }
    return narrow;
  }

  /** The number of cells of a selection for which the condition is true. */
  public long count(IndexBox selected) {
    long[] count = {0};
    visit(selected, index -> count[0]++);
    for (int d = 0; d < selected.dimensions().size(); d++) {
      int dimension = d;
      if (Arrays.stream(dimensions).noneMatch(own -> own == dimension)) {
        count[0] *= selected.dimensions().get(d).count();
      }
    }
    return count[0];
  }

  /**
   * Finds the chunks that have a cell for which the condition is true.
   *
   * @param edges the chunks along each dimension of the selection
   */
  public Survivors survivors(List<ChunkEdges> edges, IndexBox selected) {
    ChunkEdges[] own = new ChunkEdges[dimensions.length];
    int[] counts = new int[dimensions.length];
    for (int axis = 0; axis < own.length; axis++) {
      own[axis] = edges.get(dimensions[axis]);
      counts[axis] =
          extents[axis] == 0 ? 0 : Math.toIntExact(own[axis].chunkOf(extents[axis] - 1) + 1);
    }
    BitSet chunks = new BitSet();
    visit(
        selected,
        index -> {
          int place = 0;
          for (int axis = 0; axis < index.length; axis++) {
            place = place * counts[axis] + (int) own[axis].chunkOf(index[axis]);
          }
          chunks.set(place);
        });
    return new Survivors(dimensions, own, counts, chunks);
  }

  /** The chunks that have a cell for which a condition is true. Immutable and thread-safe. */
  public static final class Survivors {
    private final int[] dimensions;
    private final ChunkEdges[] edges;
    private final int[] counts;
    private final BitSet chunks;

    private Survivors(int[] dimensions, ChunkEdges[] edges, int[] counts, BitSet chunks) {
      this.dimensions = dimensions;
      this.edges = edges;
      this.counts = counts;
      this.chunks = chunks;
    }

    /**
     * Returns the cells of a split whose chunks survive, as boxes of whole chunks or of the split's
     * part of them; the split itself if all of them do. Chunks that follow each other along the
     * mask's last dimension are one box.
     */
    public List<IndexBox> parts(IndexBox split) {
      if (dimensions.length == 0) { // a condition that is the same for all cells
        return chunks.get(0) ? List.of(split) : List.of();
      }
      List<IndexBox> parts = new ArrayList<>();
      add(split, 0, 0, parts);
      long cells = parts.stream().mapToLong(IndexBox::cells).sum();
      return cells == split.cells() ? List.of(split) : parts;
    }

    private void add(IndexBox box, int axis, int place, List<IndexBox> parts) {
      ChunkEdges along = edges[axis];
      IndexRanges has = SplitPlanner.chunks(along, box.dimensions().get(dimensions[axis]));
      boolean isLast = axis == dimensions.length - 1;
      long from = -1;
      long to = -1;
      for (int run = 0; run < has.runs(); run++) {
        for (long chunk = has.start(run); chunk < has.stop(run); chunk++) {
          int here = place * counts[axis] + (int) chunk;
          if (!isLast) {
            add(box.and(dimensions[axis], indices(along, chunk, chunk)), axis + 1, here, parts);
          } else if (chunks.get(here)) {
            if (from >= 0 && to != chunk - 1) {
              parts.add(box.and(dimensions[axis], indices(along, from, to)));
              from = -1;
            }
            from = from < 0 ? chunk : from;
            to = chunk;
          }
        }
      }
      if (from >= 0) {
        parts.add(box.and(dimensions[axis], indices(along, from, to)));
      }
    }

    private static IndexRanges indices(ChunkEdges edges, long first, long last) {
      return IndexRanges.of(edges.start(first), edges.start(last) + edges.length(last));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CellMask that && isLike(that) && cells.equals(that.cells);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(dimensions) + cells.hashCode();
  }
}
