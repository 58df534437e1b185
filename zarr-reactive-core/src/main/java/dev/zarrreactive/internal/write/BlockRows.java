package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.internal.planning.Bands;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a selection, along the first dimension of its result, which arrive in blocks. Blocks
 * become parts with a position, which end where bands of chunks do. A band is a row of chunks, or
 * thinner where a row would be too large. Not thread-safe.
 */
final class BlockRows {
  private final ResolvedSelection selection;
  private final DataType dataType;
  private final ChunkGrid grid;
  private final long mostRows;
  private final long[] extents;

  private long arrived;
  private long bandStart;
  private long bandEnd;

  /**
   * Begins with the first row.
   *
   * @param grid the chunks that bands end with, where at most {@code mostRows} rows reach there
   * @param mostRows the most rows of a band, at least 1
   */
  BlockRows(ResolvedSelection selection, DataType dataType, ChunkGrid grid, long mostRows) {
    this.selection = selection;
    this.dataType = dataType;
    this.grid = grid;
    this.mostRows = mostRows;
    this.extents = selection.shape().toArray();
    this.bandEnd = endOfBand(0);
  }

  /** Refuses a selection that has no rows. */
  static void checkHasRows(ResolvedSelection selection) {
    if (selection.shape().rank() == 0) {
      throw new IllegalArgumentException(
          "the selection "
              + selection
              + " has a single element and no dimension along which blocks follow one another");
    }
  }

  /**
   * Some rows of one band.
   *
   * @param isBand true for all rows of the band
   * @param begins the whole band, for its first rows; else null
   */
  record Part(
      ResolvedSelection selection,
      NdArray data,
      boolean isBand,
      @Nullable ResolvedSelection begins) {}

  /** Returns the number of rows that have arrived. */
  long arrived() {
    return arrived;
  }

  /** Returns the number of rows of the bands that have arrived whole. */
  long whole() {
    return bandStart;
  }

  /** Returns the number of rows of the selection. */
  long count() {
    return extents[0];
  }

  /**
   * Takes a block, and returns its parts.
   *
   * @throws IllegalArgumentException if the block does not fit
   */
  List<Part> accept(NdArray block) {
    check(block);
    List<Part> parts = new ArrayList<>();
    long rows = block.shape().extent(0);
    for (long taken = 0; taken < rows; ) {
      long count = Math.min(rows - taken, bandEnd - arrived);
      boolean isBand = count == bandEnd - bandStart;
      boolean begins = !isBand && arrived == bandStart;
      parts.add(
          new Part(
              Bands.rows(selection, arrived, arrived + count),
              rows(block, taken, count),
              isBand,
              begins ? Bands.rows(selection, bandStart, bandEnd) : null));
      taken += count;
      arrived += count;
      if (arrived == bandEnd) {
        bandStart = bandEnd;
        bandEnd = endOfBand(bandStart);
      }
    }
    return parts;
  }

  private void check(NdArray block) {
    Shape shape = block.shape();
    boolean fits = shape.rank() == extents.length && block.dataType().equals(dataType);
    for (int d = 1; fits && d < extents.length; d++) {
      fits = shape.extent(d) == extents[d];
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "a block of "
              + block.dataType()
              + " and shape "
              + shape
              + " is not a part of a selection of "
              + dataType
              + " and shape "
              + Shape.of(extents)
              + " along its first dimension; the data type and the other extents must be equal");
    }
    if (shape.extent(0) > extents[0] - arrived) {
      throw new IllegalArgumentException(
          "the blocks have too many elements: the selection has "
              + extents[0]
              + " rows along its first dimension, and a block of "
              + shape.extent(0)
              + " came after "
              + arrived);
    }
  }

  private static NdArray rows(NdArray block, long from, long count) {
    long[] shape = block.shape().toArray();
    if (count == shape[0]) {
      return block;
    }
    long[] offset = new long[shape.length];
    offset[0] = from;
    shape[0] = count;
    return block.slice(Selection.box(offset, shape));
  }

  /** Returns the row after the band that begins with a row: where chunks end, if it can. */
  private long endOfBand(long from) {
    long most = extents[0] - from > mostRows ? from + mostRows : extents[0];
    int dimension = Bands.rowAxis(selection);
    if (most == extents[0]
        || dimension < 0
        || !(((ResolvedSelection.Orthogonal) selection).axes().get(dimension)
            instanceof Axis.Range range)) {
      return most;
    }
    ChunkEdges edges = grid.dimension(dimension);
    long edge = edges.start(edges.chunkOf(range.start() + most * range.step()));
    long atEdge = -Math.floorDiv(range.start() - edge, range.step()); // rounded up
    return atEdge > from ? atEdge : most;
  }
}
