package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnfinishedWriteException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.planning.Bands;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

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
    private final ConcurrentMap<List<Long>, ShardUpload> uploads = new ConcurrentHashMap<>();
    private final Sinks.Many<Mono<Void>> begun = Sinks.many().unicast().onBackpressureBuffer();

    /** The error of the publisher, or the fault of a block. */
    private volatile @Nullable Throwable fault;

    Operation(ChunkGrid grid) {
      this.grid = grid;
      long mostOfChunk = mostOf(grid);
      long thinnest = rowAxis < 0 ? 1 : Math.max(1, bound / Math.max(1, rowBytes));
      boolean fits = grid != array.grid() || rowsBytes(mostOfChunk) <= bound;
      long mostRows = fits ? Math.max(1, mostOfChunk) : thinnest;
      this.gatherer = new BlockGatherer(selection, array.metadata().dataType(), grid, mostRows);
      this.bandBytes = rowsBytes(Math.min(mostRows, selection.shape().extent(0)));
      this.bandsAtATime =
          (int)
              Math.max(
                  1, Math.min(array.limits().concurrency(), bound / Math.max(1, bandBytes) - 1));
    }

    Mono<Void> inBands(Publisher<NdArray> blocks) {
      return leased(
          Concurrently.map(
                  bands(blocks),
                  bandsAtATime,
                  band ->
                      writer.write(
                          Bands.rows(selection, band.from(), band.to()), band.data(), writing))
              .then(Mono.defer(this::outcome)));
    }

    Mono<Void> throughUploads(Publisher<NdArray> blocks) {
      Flux<Void> encoding =
          Concurrently.map(bands(blocks), bandsAtATime, this::encoded)
              .concatWith(Mono.defer(this::outcome))
              .doOnComplete(this::noneBegins);
      Flux<Void> storing = Concurrently.map(begun.asFlux(), Integer.MAX_VALUE, upload -> upload);
      return leased(
          Concurrently.map(Flux.just(storing, encoding), 2, part -> part)
              .then()
              .doFinally(end -> uploads.values().forEach(ShardUpload::abandon)));
    }

    /** Leases the bytes of the bands for all of the operation. */
    private Mono<Void> leased(Mono<Void> write) {
      long decoded =
          ByteBudget.product(
              grid.largestChunkShape().elementCountUpTo(Long.MAX_VALUE),
              array.metadata().dataType().memorySize());
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

    /** Encodes the inner chunks of a band on all codec threads; completes when they are taken. */
    private Mono<Void> encoded(BlockGatherer.Band band) {
      return Concurrently.map(
              Flux.fromIterable(ChunkPlan.of(Bands.rows(selection, band.from(), band.to()), grid)),
              2 * Environment.current().processors(),
              part -> encoded(part, band.data()))
          .then()
          .doOnSuccess(done -> uploads.values().removeIf(ShardUpload::isStored));
    }

    private Mono<Void> encoded(ChunkProjection part, NdArray data) {
      long[] start = grid.chunkStart(part.chunkIndex());
      long[] shard = new long[start.length];
      Arrays.setAll(shard, d -> array.grid().dimension(d).chunkOf(start[d]));
      ShardLayout layout = Objects.requireNonNull(array.codec(shard).shardLayout());
      ChunkCodec inner = layout.innerCodec();
      long[] shardStart = array.grid().chunkStart(shard);
      long[] index = new long[start.length];
      Arrays.setAll(
          index, d -> (start[d] - shardStart[d]) / inner.representation().shape().extent(d));
      return writer.leased(
          writing,
          inner,
          1,
          Mono.defer(
                  () -> {
                    ElementMemory elements = ChunkElements.gathered(part, data, inner, null);
                    Bytes bytes =
                        elements.isAll(inner.representation().fillValue())
                            ? null
                            : ChunkEncoder.encodedInner(layout, index, elements);
                    return upload(shard, layout)
                        .add(
                            ShardPlaces.number(index, layout.innerGrid().gridShape().toArray()),
                            bytes);
                  })
              .onErrorMap(ZarrException.class, e -> e.at(array.location(shard))));
    }

    private ShardUpload upload(long[] shard, ShardLayout layout) {
      List<Long> key = Arrays.stream(shard).boxed().collect(Collectors.toList());
      return uploads.computeIfAbsent(
          key, absent -> new ShardUpload(array, shard, layout, this::begin));
    }

    private void begin(Mono<Void> request) {
      synchronized (begun) {
        begun.tryEmitNext(request);
      }
    }

    private void noneBegins() {
      synchronized (begun) {
        begun.tryEmitComplete();
      }
    }
  }
}
