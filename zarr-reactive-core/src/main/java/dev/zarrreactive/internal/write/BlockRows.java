package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.threads.Environment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Blocks that follow one another along the first dimension of a selection. They become parts with a
 * position, which end where bands do. A band is a row of chunks, or thinner where a row is too
 * large to be gathered; of shards that can be stored while they arrive it is a row of inner chunks.
 * One stream is described by each object. Not thread-safe.
 */
final class BlockRows {
  private final ArrayStorage array;
  private final ResolvedSelection selection;
  private final int rowAxis;
  private final long[] extents;
  private final long rowBytes;
  private final ChunkGrid grid;
  private final long mostRows;
  private final long bound;

  private long arrived;
  private long bandStart;
  private long bandEnd;

  /** The error of the publisher, or the fault of a block. */
  private volatile @Nullable Throwable fault;

  /** Plans the bands of a selection that has rows. */
  BlockRows(ArrayStorage array, ResolvedSelection selection) {
    this.array = array;
    this.selection = selection;
    this.rowAxis = Bands.rowAxis(selection);
    this.extents = selection.shape().toArray();
    this.rowBytes = bytes(shape(1), array);
    boolean isGathered = ByteBudget.product(mostRows(array.grid()), rowBytes) <= quarter(array);
    ShardLayout shard = isGathered || !coversShards() ? null : largestShard();
    this.grid =
        shard == null
            ? array.grid()
            : ChunkGrid.regular(
                array.metadata().shape(), shard.innerCodec().representation().shape());
    long thinnest = rowAxis < 0 ? 1 : Math.max(1, quarter(array) / Math.max(1, rowBytes));
    this.mostRows = isGathered || isUploaded() ? Math.max(1, mostRows(grid)) : thinnest;
    long bandBytes = ByteBudget.product(Math.min(mostRows, extents[0]), rowBytes);
    this.bound = ByteBudget.product(bands(bandBytes) + 1, bandBytes);
    this.bandEnd = endOfBand(0);
  }

  /** Refuses a selection that has no rows. */
  static void checkHasRows(ResolvedSelection selection) {
    if (selection.shape().rank() == 0) {
      throw new InvalidInputException(
          "the selection "
              + selection
              + " has a single element and no dimension along which blocks follow one another");
    }
  }

  /** Returns the bytes of what is gathered, and of the chunks that are written of it. */
  static long quarter(ArrayStorage array) {
    return Math.max(1, array.limits().inFlightBytes() / ChunkWriter.GATHERED);
  }

  /** Returns the bytes of elements of an array, in memory. */
  static long bytes(Shape shape, ArrayStorage array) {
    return ByteBudget.product(
        shape.elementCountUpTo(Long.MAX_VALUE), array.metadata().dataType().memorySize());
  }

  /** Returns the grid of inner chunks, if shards are stored while they arrive; else the array's. */
  ChunkGrid grid() {
    return grid;
  }

  /** Returns the most bytes of chunks that are gathered, and that are written of them. */
  long bound() {
    return bound;
  }

  private boolean isUploaded() {
    return grid != array.grid();
  }

  /** Returns the layout of shards that can be stored piece by piece; else null. */
  private @Nullable ShardLayout largestShard() {
    long[] first = new long[array.grid().rank()];
    ShardLayout layout = array.grid().isOutside(first) ? null : array.codec(first).shardLayout();
    return layout != null && ShardPlaces.canStream(layout) ? layout : null;
  }

  /** Returns the most rows of the selection in one chunk. */
  private long mostRows(ChunkGrid grid) {
    long all = selection.shape().extent(0);
    if (rowAxis < 0
        || !(((ResolvedSelection.Orthogonal) selection).axes().get(rowAxis)
            instanceof Axis.Range range)) {
      return all;
    }
    return Math.min(all, (grid.dimension(rowAxis).largest() - 1) / range.step() + 1);
  }

  /** Returns true if the selection covers every shard that it has elements of. */
  private boolean coversShards() {
    if (!(selection instanceof ResolvedSelection.Orthogonal box)) {
      return false;
    }
    Shape shape = array.furthestShape();
    for (int d = 0; d < shape.rank(); d++) {
      if (!(box.axes().get(d) instanceof Axis.Range range)
          || (range.step() != 1 && range.count() > 1)) {
        return false;
      }
      ChunkEdges edges = array.grid().dimension(d);
      long end = range.start() + range.count();
      boolean endsAtEdge =
          end == shape.extent(d)
              || (end < array.metadata().shape().extent(d)
                  && edges.start(edges.chunkOf(end)) == end);
      if (range.count() == 0
          || edges.start(edges.chunkOf(range.start())) != range.start()
          || !endsAtEdge) {
        return false;
      }
    }
    return true;
  }

  /** Returns the bands that are written at the same time, beside the one that is gathered. */
  private long bands(long bandBytes) {
    long fitting =
        Math.min(array.limits().concurrency(), quarter(array) / Math.max(1, bandBytes) - 1);
    if (!isUploaded()) {
      return Math.max(1, fitting);
    }
    long chunks = Math.max(1, bandBytes / Math.max(1, bytes(grid.largestChunkShape(), array)));
    long encoding = (2L * Environment.current().processors() - 1) / chunks + 1;
    return Math.max(1, Math.min(fitting, encoding));
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

  /** Adds a part to the chunks that are gathered, and emits those that can be written now. */
  Flux<NewElements> add(Part part, ChunkGatherer gatherer) {
    if (part.isBand()) {
      return SelectedElements.ofEach(part.selection(), part.data(), grid);
    }
    if (part.begins() != null) {
      gatherer.expect(part.begins());
    }
    return gatherer.add(part.selection(), part.data());
  }

  private void check(NdArray block) {
    Shape shape = block.shape();
    boolean fits =
        shape.rank() == extents.length && block.dataType().equals(array.metadata().dataType());
    for (int d = 1; fits && d < extents.length; d++) {
      fits = shape.extent(d) == extents[d];
    }
    if (!fits) {
      throw new InvalidInputException(
          ("a block of %s and shape %s is not a part of a selection of %s and shape %s"
                  + " along its first dimension; the data type and the other extents must be equal")
              .formatted(block.dataType(), shape, array.metadata().dataType(), Shape.of(extents)));
    }
    if (shape.extent(0) > extents[0] - arrived) {
      throw new InvalidInputException(
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

  private Shape shape(long rows) {
    long[] shape = extents.clone();
    shape[0] = rows;
    return Shape.of(shape);
  }

  /** Ends the blocks by an error, which waits until the bands before it are stored. */
  <T> Flux<T> note(Throwable error) {
    fault = error;
    return Flux.empty();
  }

  /** Completes if all rows are stored; fails otherwise, and tells how many are. */
  Mono<Void> outcome() {
    Throwable error = fault;
    if (error == null && arrived == extents[0]) {
      return Mono.empty();
    }
    long written = writtenRows();
    String stored =
        ("; the first %s of %s rows along the first dimension of the selection %s are"
                + " stored, %s elements; write the rows from %s on to continue")
            .formatted(
                written,
                extents[0],
                selection,
                ByteBudget.product(written, rowBytes / array.metadata().dataType().memorySize()),
                written);
    Throwable cause =
        error != null
            ? error
            : new InvalidInputException(
                "the blocks have too few elements: the selection has "
                    + extents[0]
                    + " rows along its first dimension, and "
                    + arrived
                    + " came");
    return Mono.error(
        new UnfinishedWriteException(
            (cause instanceof IllegalArgumentException && cause.getMessage() != null
                    ? cause.getMessage()
                    : "the publisher of the blocks failed: " + cause)
                + stored,
            written,
            Location.ofNode(array.path().value()),
            cause));
  }

  /** Returns the rows before the first band, or the first row of shards, that is incomplete. */
  private long writtenRows() {
    long whole = bandStart;
    if (!isUploaded() || whole == 0 || whole == extents[0]) {
      return whole;
    }
    Axis.Range range = (Axis.Range) ((ResolvedSelection.Orthogonal) selection).axes().get(rowAxis);
    ChunkEdges shards = array.grid().dimension(rowAxis);
    return shards.start(shards.chunkOf(range.start() + whole)) - range.start();
  }
}
