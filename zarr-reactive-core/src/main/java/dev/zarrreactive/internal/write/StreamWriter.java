package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
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
import dev.zarrreactive.internal.flow.HandedOver;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.threads.Environment;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes what arrives in a stream: chunks of any grid, blocks in order, or the parts of one shard.
 * All of them are parts of the array with a position. A {@link ChunkGatherer} gathers them until
 * chunks are complete, which {@link ChunkWriter} writes. A row of shards may be too large to be
 * gathered. Inner chunks are gathered then, and each shard is stored while they arrive ({@link
 * ShardUploads}). One stream is written by each object.
 */
final class StreamWriter {
  /** The parts of one shard that are encoded and sent at the same time. */
  private static final int PARTS = 2;

  private final ArrayStorage array;
  private final ChunkWriter writer;
  private final ByteBudget.Share gathering;
  private final ByteBudget.Share writing;

  StreamWriter(ArrayStorage array, ChunkWriter writer) {
    this.array = array;
    this.writer = writer;
    this.gathering = writer.share();
    this.writing = writer.share();
  }

  /** Writes chunks; see {@code ZarrArray.write}. */
  Mono<Void> write(Publisher<Chunk> chunks) {
    array.checks().writable();
    long chunk = bytesOf(array.grid());
    long count = array.grid().gridShape().elementCountUpTo(Long.MAX_VALUE);
    long most = writer.bytesToGather(chunk);
    // a small array needs no more than all of its chunks, with the records of what has arrived
    long elements = array.grid().largestChunkShape().elementCountUpTo(Long.MAX_VALUE);
    long each = ByteBudget.sum(chunk, ByteBudget.expected(elements));
    long bound = Math.min(ByteBudget.product(count, each), most);
    Mono<Void> lease = ChunkWriter.leaseToGather(gathering, bound, chunk);
    ChunkGatherer gatherer = new ChunkGatherer(array, array.grid(), bound, lease);
    Flux<NewElements> arrived =
        handOver(Flux.from(chunks))
            .concatMap(
                part -> gatherer.add(part.selection(), writer.fit(part.selection(), part.data())),
                1);
    Flux<NewElements> all = Flux.concat(List.of(arrived, gatherer.rest()));
    return endShares(
        storeEach(all, array.writeConcurrency(), gatherer, some -> writer.write(some, writing)));
  }

  /** Writes blocks; see {@code ZarrArray.write}. */
  Mono<Void> write(ResolvedSelection selection, Publisher<NdArray> blocks) {
    array.checks().changeable();
    Blocks stream = new Blocks(selection);
    if (stream.needsUploads()) {
      array.checks().readable();
    } else {
      array.checks().writable();
    }
    return endShares(stream.write(blocks));
  }

  /** Writes one shard; see {@code ZarrArray.writeShard}. */
  Mono<Void> write(ShardArrival shard, Publisher<Chunk> parts) {
    array.checks().changeable();
    array.checks().readable();
    ShardUploads uploads = new ShardUploads(array, writer, writing, shard.inner());
    Flux<Chunk> arriving = shard.check(handOver(Flux.from(parts)));
    Function<Chunk, Flux<Void>> add =
        part ->
            Concurrently.map(
                SelectedElements.ofEach(part.selection(), part.data(), shard.inner()),
                ShardUploads.concurrency(),
                uploads::add);
    return endShares(uploads.whileStoring(Concurrently.map(arriving, PARTS, add).then()));
  }

  private <T> Flux<T> handOver(Flux<T> arriving) {
    return HandedOver.to(array.limits().codecScheduler(), arriving);
  }

  private static Mono<Void> storeEach(
      Flux<NewElements> chunks,
      int concurrency,
      ChunkGatherer gatherer,
      Function<NewElements, Mono<Void>> store) {
    return Concurrently.map(
            chunks,
            concurrency,
            chunk ->
                store
                    .apply(chunk)
                    .doOnSuccess(done -> gatherer.reuse(chunk))
                    .doFinally(end -> gatherer.release(chunk)))
        .then();
  }

  private Mono<Void> endShares(Mono<Void> write) {
    return write.doFinally(
        end -> {
          writing.close();
          gathering.close();
        });
  }

  /** Returns the decoded bytes of the largest chunk of a grid. */
  private long bytesOf(ChunkGrid grid) {
    return ByteBudget.product(
        grid.largestChunkShape().elementCountUpTo(Long.MAX_VALUE),
        array.metadata().dataType().memorySize());
  }

  /** Blocks that follow one another along the first dimension of a selection. */
  private final class Blocks {
    private final ResolvedSelection selection;
    private final int rowAxis;
    private final long rowBytes;

    /** The grid of inner chunks, if shards are stored while they arrive; else that of the array. */
    private final ChunkGrid grid;

    private final BlockRows rows;
    private final long bandBytes;
    private final long bound;

    /** The error of the publisher, or the fault of a block. */
    private volatile @Nullable Throwable fault;

    Blocks(ResolvedSelection selection) {
      this.selection = selection;
      this.rowAxis = Bands.rowAxis(selection);
      long[] row = selection.shape().toArray();
      row[0] = 1;
      this.rowBytes =
          ByteBudget.product(
              Shape.of(row).elementCountUpTo(Long.MAX_VALUE),
              array.metadata().dataType().memorySize());
      boolean isGathered = ByteBudget.product(mostRows(array.grid()), rowBytes) <= quarter();
      ShardLayout shard = isGathered || !coversShards() ? null : largestShard();
      this.grid =
          shard == null
              ? array.grid()
              : ChunkGrid.regular(
                  array.metadata().shape(), shard.innerCodec().representation().shape());
      long thinnest = rowAxis < 0 ? 1 : Math.max(1, quarter() / Math.max(1, rowBytes));
      long mostRows = isGathered || needsUploads() ? Math.max(1, mostRows(grid)) : thinnest;
      this.rows = new BlockRows(selection, array.metadata().dataType(), grid, mostRows);
      this.bandBytes = ByteBudget.product(Math.min(mostRows, rows.count()), rowBytes);
      this.bound = ByteBudget.product(bands() + 1, bandBytes);
    }

    boolean needsUploads() {
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
    private long bands() {
      long fitting = Math.min(array.limits().concurrency(), quarter() / Math.max(1, bandBytes) - 1);
      if (!needsUploads()) {
        return Math.max(1, fitting);
      }
      long inner = Math.max(1, bandBytes / Math.max(1, bytesOf(grid)));
      long encoding = (2L * Environment.current().processors() - 1) / inner + 1;
      return Math.max(1, Math.min(fitting, encoding));
    }

    Mono<Void> write(Publisher<NdArray> blocks) {
      long chunk = bytesOf(grid);
      long leased = Math.min(bound, writer.bytesToGather(chunk));
      ChunkGatherer gatherer = new ChunkGatherer(array, grid, bound, Mono.empty());
      return ChunkWriter.leaseToGather(gathering, leased, chunk)
          .then(Mono.defer(() -> write(arrive(blocks, gatherer), gatherer)));
    }

    private Mono<Void> write(Flux<NewElements> chunks, ChunkGatherer gatherer) {
      Mono<Void> outcome = Mono.defer(this::outcome);
      if (needsUploads()) {
        ShardUploads uploads = new ShardUploads(array, writer, writing, grid);
        return uploads.whileStoring(
            storeEach(chunks, ShardUploads.concurrency(), gatherer, uploads::add).then(outcome));
      }
      long inMemory = Math.max(1, quarter() / Math.max(1, bytesOf(grid)));
      int concurrency = (int) Math.min(array.writeConcurrency(), inMemory);
      return storeEach(chunks, concurrency, gatherer, chunk -> writer.write(chunk, writing))
          .then(outcome);
    }

    /** Returns the bytes of what is gathered, and of the chunks that are written of it. */
    private long quarter() {
      return Math.max(1, array.limits().inFlightBytes() / ChunkWriter.GATHERED);
    }

    /** An error of the publisher, and the fault of a block, wait for the bands before them. */
    private Flux<NewElements> arrive(Publisher<NdArray> blocks, ChunkGatherer gatherer) {
      return handOver(Flux.from(blocks).onErrorResume(this::note))
          .concatMapIterable(rows::accept, 1)
          .concatMap(part -> add(part, gatherer), 1)
          .onErrorResume(this::note);
    }

    private Flux<NewElements> add(BlockRows.Part part, ChunkGatherer gatherer) {
      if (part.isBand()) {
        return SelectedElements.ofEach(part.selection(), part.data(), grid);
      }
      if (part.begins() != null) {
        gatherer.expect(part.begins());
      }
      return gatherer.add(part.selection(), part.data());
    }

    private <T> Flux<T> note(Throwable error) {
      fault = error;
      return Flux.empty();
    }

    private Mono<Void> outcome() {
      Throwable error = fault;
      if (error == null && rows.arrived() == rows.count()) {
        return Mono.empty();
      }
      long written = writtenRows();
      String stored =
          "; the first "
              + written
              + " of "
              + rows.count()
              + " rows along the first dimension of the selection "
              + selection
              + " are stored, "
              + ByteBudget.product(written, rowBytes / array.metadata().dataType().memorySize())
              + " elements; write the rows from "
              + written
              + " on to continue";
      Throwable cause =
          error != null
              ? error
              : new IllegalArgumentException(
                  "the blocks have too few elements: the selection has "
                      + rows.count()
                      + " rows along its first dimension, and "
                      + rows.arrived()
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
      long whole = rows.whole();
      if (!needsUploads() || whole == 0 || whole == rows.count()) {
        return whole;
      }
      Axis.Range range =
          (Axis.Range) ((ResolvedSelection.Orthogonal) selection).axes().get(rowAxis);
      ChunkEdges shards = array.grid().dimension(rowAxis);
      return shards.start(shards.chunkOf(range.start() + whole)) - range.start();
    }
  }
}
