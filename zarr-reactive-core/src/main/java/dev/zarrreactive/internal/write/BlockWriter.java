package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.threads.Environment;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes a selection from blocks that follow one another along its first dimension. They are
 * gathered in bands of whole chunks, which {@link ChunkWriter} writes. A row of shards may be too
 * large to be gathered. Bands are of inner chunks then, and each shard is stored while they arrive.
 */
final class BlockWriter {
  private final ArrayStorage array;
  private final ChunkWriter writer;
  private final ResolvedSelection selection;
  private final int rowAxis;
  private final long rowBytes;
  private final long bound;

  BlockWriter(ArrayStorage array, ChunkWriter writer, ResolvedSelection selection) {
    this.array = array;
    this.writer = writer;
    this.selection = selection;
    if (selection.shape().rank() == 0) {
      throw new IllegalArgumentException(
          "the selection "
              + selection
              + " has a single element and no dimension along which blocks follow one another");
    }
    this.rowAxis = Bands.rowAxis(selection);
    long[] row = selection.shape().toArray();
    row[0] = 1;
    this.rowBytes =
        ByteBudget.product(
            Shape.of(row).elementCountUpTo(Long.MAX_VALUE),
            array.metadata().dataType().memorySize());
    this.bound = Math.max(1, array.limits().inFlightBytes() / ChunkWriter.GATHERED);
  }

  /** Writes the blocks; see {@code ZarrArray.write}. */
  Mono<Void> write(Publisher<NdArray> blocks) {
    return Mono.defer(
        () -> {
          array.checks().changeable();
          ShardLayout layout = largestShard();
          if (layout == null || rowsBytes(mostOf(array.grid())) <= bound || !coversShards()) {
            array.checks().writable();
            return new Operation(array.grid()).inBands(blocks);
          }
          array.checks().readable();
          Shape inner = layout.innerCodec().representation().shape();
          ChunkGrid grid = ChunkGrid.regular(array.metadata().shape(), inner);
          return new Operation(grid).throughUploads(blocks);
        });
  }

  /** Returns the layout of shards that can be stored piece by piece; else null. */
  private @Nullable ShardLayout largestShard() {
    long[] first = new long[array.grid().rank()];
    ShardLayout layout = array.grid().isOutside(first) ? null : array.codec(first).shardLayout();
    return layout != null && ShardPlaces.canStream(layout) ? layout : null;
  }

  private long rowsBytes(long rows) {
    return ByteBudget.product(rows, rowBytes);
  }

  /** Returns the most rows of the selection in one chunk. */
  private long mostOf(ChunkGrid grid) {
    long rows = selection.shape().extent(0);
    if (rowAxis < 0
        || !(((ResolvedSelection.Orthogonal) selection).axes().get(rowAxis)
            instanceof Axis.Range range)) {
      return rows;
    }
    return Math.min(rows, (grid.dimension(rowAxis).largest() - 1) / range.step() + 1);
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

  /** One subscription. */
  private final class Operation {
    private final ChunkGrid grid;
    private final BlockGatherer gatherer;
    private final int bandsAtATime;
    private final long bandBytes;
    private final ByteBudget.Share gathering = writer.share();
    private final ByteBudget.Share writing = writer.share();
    private final ShardUploads uploads;

    /** The error of the publisher, or the fault of a block. */
    private volatile @Nullable Throwable fault;

    Operation(ChunkGrid grid) {
      this.grid = grid;
      this.uploads = new ShardUploads(array, writer, writing, grid);
      long mostOfChunk = mostOf(grid);
      long thinnest = rowAxis < 0 ? 1 : Math.max(1, bound / Math.max(1, rowBytes));
      boolean fits = grid != array.grid() || rowsBytes(mostOfChunk) <= bound;
      long mostRows = fits ? Math.max(1, mostOfChunk) : thinnest;
      this.gatherer = new BlockGatherer(selection, array.metadata().dataType(), grid, mostRows);
      this.bandBytes = rowsBytes(Math.min(mostRows, selection.shape().extent(0)));
      long fitting = Math.min(array.limits().concurrency(), bound / Math.max(1, bandBytes) - 1);
      this.bandsAtATime =
          (int) Math.max(1, grid == array.grid() ? fitting : Math.min(fitting, bandsToEncode()));
    }

    /**
     * Returns the bands of inner chunks that keep all codec threads at work. Uploads wait for none.
     */
    private long bandsToEncode() {
      long chunks = Math.max(1, bandBytes / Math.max(1, chunkBytes()));
      return (2L * Environment.current().processors() - 1) / chunks + 1;
    }

    private long chunkBytes() {
      return ByteBudget.product(
          grid.largestChunkShape().elementCountUpTo(Long.MAX_VALUE),
          array.metadata().dataType().memorySize());
    }

    Mono<Void> inBands(Publisher<NdArray> blocks) {
      return leased(
          Concurrently.map(
                  bands(blocks),
                  bandsAtATime,
                  band ->
                      writer
                          .write(
                              Bands.rows(selection, band.from(), band.to()), band.data(), writing)
                          .doOnSuccess(done -> gatherer.reuse(band)))
              .then(Mono.defer(this::outcome)));
    }

    Mono<Void> throughUploads(Publisher<NdArray> blocks) {
      return leased(
          uploads.whileStoring(
              Concurrently.map(
                      bands(blocks),
                      bandsAtATime,
                      band ->
                          uploads
                              .add(Bands.rows(selection, band.from(), band.to()), band.data())
                              .doOnSuccess(done -> gatherer.reuse(band)))
                  .then(Mono.defer(this::outcome))));
    }

    /** Leases the bytes of the bands for all of the operation. */
    private Mono<Void> leased(Mono<Void> write) {
      long decoded = chunkBytes();
      long bytes = ByteBudget.product(bandsAtATime + 1L, bandBytes);
      return ChunkWriter.gathering(
              gathering, Math.min(bytes, writer.bytesToGather(decoded)), decoded)
          .then(write)
          .doFinally(
              end -> {
                writing.close();
                gathering.close();
              });
    }

    /** An error of the publisher, and the fault of a block, wait for the bands before them. */
    private Flux<BlockGatherer.Band> bands(Publisher<NdArray> blocks) {
      return Flux.from(blocks)
          .onErrorResume(this::noted)
          .publishOn(array.limits().codecScheduler(), 1)
          .concatMapIterable(gatherer::accept, 1)
          .onErrorResume(this::noted);
    }

    private <T> Flux<T> noted(Throwable error) {
      fault = error;
      return Flux.empty();
    }

    private Mono<Void> outcome() {
      Throwable error = fault;
      if (error == null && gatherer.arrived() == gatherer.rows()) {
        return Mono.empty();
      }
      long written = writtenRows();
      String stored =
          "; the first "
              + written
              + " of "
              + gatherer.rows()
              + " rows along the first dimension of the selection "
              + selection
              + " are stored, "
              + ByteBudget.product(written, rowElements())
              + " elements; write the rows from "
              + written
              + " on to continue";
      Throwable cause =
          error != null
              ? error
              : new IllegalArgumentException(
                  "the blocks have too few elements: the selection has "
                      + gatherer.rows()
                      + " rows along its first dimension, and "
                      + gatherer.arrived()
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

    private long rowElements() {
      return rowBytes / array.metadata().dataType().memorySize();
    }

    /** Returns the rows before the first band, or the first row of shards, that is incomplete. */
    private long writtenRows() {
      long rows = gatherer.givenOut();
      if (grid == array.grid() || rows == 0 || rows == gatherer.rows()) {
        return rows;
      }
      Axis.Range range =
          (Axis.Range) ((ResolvedSelection.Orthogonal) selection).axes().get(rowAxis);
      ChunkEdges shards = array.grid().dimension(rowAxis);
      return shards.start(shards.chunkOf(range.start() + rows)) - range.start();
    }
  }
}
