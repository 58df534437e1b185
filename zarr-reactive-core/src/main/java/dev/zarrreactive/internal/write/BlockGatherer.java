package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.Bands;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Gathers blocks, which follow one another along the first dimension of a selection, into bands
 * that end where chunks end. A band that lies in one block is a view of it. The memory of any other
 * one is used again: a large array for each would cost the collector of a small heap much. Not
 * thread-safe, but for {@link #reuse}.
 */
final class BlockGatherer {
  private final ResolvedSelection selection;
  private final DataType dataType;
  private final ChunkGrid grid;
  private final long mostRows;
  private final long[] extents;

  private long arrived;
  private long bandStart;
  private long bandEnd;
  private @Nullable ElementMemory gathered;
  private final Queue<ElementMemory> free = new ConcurrentLinkedQueue<>();

  /**
   * Gathers blocks for a selection whose result has at least one dimension.
   *
   * @param grid the chunks that bands end with, where at most {@code mostRows} rows reach there
   * @param mostRows the most rows of a band, at least 1
   */
  BlockGatherer(ResolvedSelection selection, DataType dataType, ChunkGrid grid, long mostRows) {
    this.selection = selection;
    this.dataType = dataType;
    this.grid = grid;
    this.mostRows = mostRows;
    this.extents = selection.shape().toArray();
    this.bandEnd = endOfBand(0);
  }

  /**
   * Some rows of the selection with their elements.
   *
   * @param from the first row
   * @param to the row after the last one
   * @param gathered the memory of the data; null if it is a block's
   */
  record Band(long from, long to, NdArray data, @Nullable ElementMemory gathered) {}

  /** Takes back the memory of a band that is written, and that nothing reads any more. */
  void reuse(Band band) {
    if (band.gathered() != null && !(dataType instanceof VariableLengthType)) {
      free.add(band.gathered());
    }
  }

  /** Returns the row up to which all rows were given out. */
  long givenOut() {
    return bandStart;
  }

  /** Returns the number of rows that have arrived. */
  long arrived() {
    return arrived;
  }

  long rows() {
    return extents[0];
  }

  /**
   * Takes a block, and returns the bands that are complete with it.
   *
   * @throws IllegalArgumentException if the block does not fit
   */
  List<Band> accept(NdArray block) {
    check(block);
    List<Band> complete = new ArrayList<>();
    long rows = block.shape().extent(0);
    long taken = 0;
    while (taken < rows) {
      long count = Math.min(rows - taken, bandEnd - arrived);
      NdArray part = rows(block, taken, count);
      taken += count;
      arrived += count;
      if (count == bandEnd - bandStart) {
        complete.add(new Band(bandStart, bandEnd, part, null));
      } else {
        gather(part, arrived - count - bandStart);
      }
      if (arrived == bandEnd) {
        if (gathered != null) {
          NdArray data = gathered.toNdArray(shape(bandEnd - bandStart));
          complete.add(new Band(bandStart, bandEnd, data, gathered));
          gathered = null;
        }
        bandStart = bandEnd;
        bandEnd = endOfBand(bandStart);
      }
    }
    return complete;
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
    long[] offset = new long[block.shape().rank()];
    long[] shape = block.shape().toArray();
    if (count == shape[0]) {
      return block;
    }
    offset[0] = from;
    shape[0] = count;
    return block.slice(Selection.box(offset, shape));
  }

  private void gather(NdArray part, long row) {
    if (gathered == null) {
      gathered = memory(shape(bandEnd - bandStart));
    }
    long row1 = shape(1).elementCountUpTo(Integer.MAX_VALUE);
    gathered.copyFrom(ElementMemory.of(part), Math.toIntExact(row * row1));
  }

  private ElementMemory memory(Shape shape) {
    ElementMemory used = free.poll();
    return used != null && used.count() == shape.elementCountUpTo(Long.MAX_VALUE)
        ? used
        : MemoryGuard.allocating(
            "to gather blocks until a chunk is complete",
            shape.byteSize(dataType.memorySize()),
            Location.UNKNOWN,
            () -> ElementMemory.allocate(dataType, shape));
  }

  private Shape shape(long rows) {
    long[] shape = extents.clone();
    shape[0] = rows;
    return Shape.of(shape);
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
    long edge =
        grid.dimension(dimension)
            .start(grid.dimension(dimension).chunkOf(range.start() + most * range.step()));
    long atEdge = -Math.floorDiv(range.start() - edge, range.step()); // rounded up
    return atEdge > from ? atEdge : most;
  }
}
