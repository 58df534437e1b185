package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.HandedOver;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
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
  Mono<Void> writeChunks(Publisher<Chunk> chunks) {
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
        storeEach(
            all, array.writeConcurrency(), gatherer, some -> writer.writeChunk(some, writing)));
  }

  /** Writes blocks; see {@code ZarrArray.write}. */
  Mono<Void> writeBlocks(ResolvedSelection selection, Publisher<NdArray> blocks) {
    array.checks().changeable();
    BlockRows stream = new BlockRows(array, selection);
    ChunkGrid grid = stream.grid();
    long chunk = bytesOf(grid);
    long leased = Math.min(stream.bound(), writer.bytesToGather(chunk));
    ChunkGatherer gatherer = new ChunkGatherer(array, grid, stream.bound(), Mono.empty());
    Flux<NewElements> chunks =
        handOver(Flux.from(blocks).onErrorResume(stream::note))
            .concatMapIterable(stream::accept, 1)
            .concatMap(part -> stream.add(part, gatherer), 1)
            .onErrorResume(stream::note);
    Mono<Void> outcome = Mono.defer(stream::outcome);
    Mono<Void> store;
    if (grid == array.grid()) {
      array.checks().writable();
      long fitting = Math.max(1, BlockRows.quarter(array) / Math.max(1, chunk));
      int concurrency = (int) Math.min(array.writeConcurrency(), fitting);
      store =
          storeEach(chunks, concurrency, gatherer, some -> writer.writeChunk(some, writing))
              .then(outcome);
    } else {
      array.checks().readable();
      ShardUploads uploads = new ShardUploads(array, writer, writing, grid);
      store =
          uploads.whileStoring(
              storeEach(chunks, ShardUploads.concurrency(), gatherer, uploads::add).then(outcome));
    }
    return endShares(ChunkWriter.leaseToGather(gathering, leased, chunk).then(store));
  }

  /** Writes one shard; see {@code ZarrArray.writeShard}. */
  Mono<Void> writeShard(long[] shard, Publisher<Chunk> parts) {
    array.checks().changeable();
    array.checks().readable();
    ShardArrival arrival = new ShardArrival(shard);
    ShardUploads uploads = new ShardUploads(array, writer, writing, arrival.inner);
    Function<List<NewElements>, Flux<Void>> add =
        chunks ->
            Concurrently.map(Flux.fromIterable(chunks), ShardUploads.concurrency(), uploads::add);
    Flux<List<NewElements>> arriving = handOver(Flux.from(parts)).map(arrival::check);
    return endShares(
        uploads.whileStoring(
            Concurrently.map(arriving, PARTS, add)
                .then(Mono.fromRunnable(arrival::checkComplete))));
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
    return write.doOnTerminate(this::closeShares).doOnCancel(this::closeShares);
  }

  private void closeShares() {
    writing.close();
    gathering.close();
  }

  /** Returns the decoded bytes of the largest chunk of a grid. */
  private long bytesOf(ChunkGrid grid) {
    return BlockRows.bytes(grid.largestChunkShape(), array);
  }

  /** One shard that arrives in parts of whole inner chunks, in any order. Not thread-safe. */
  private final class ShardArrival {
    private final long[] index;
    private final ShardLayout layout;
    private final Shape innerShape;
    private final ChunkGrid inner;
    private final BitSet arrived = new BitSet();

    ShardArrival(long[] index) {
      this.index = index;
      this.layout = ShardUpload.layout(array, index);
      this.innerShape = layout.innerCodec().representation().shape();
      this.inner = ChunkGrid.regular(array.metadata().shape(), innerShape);
    }

    /** Returns the inner chunks of a part; refuses those of other shards, cut ones, and repeats. */
    List<NewElements> check(Chunk part) {
      NdArray data = writer.fit(part.selection(), part.data());
      List<NewElements> chunks = new ArrayList<>();
      for (ChunkProjection chunk : ChunkPlan.of(part.selection(), inner)) {
        NewElements elements = SelectedElements.of(chunk, data, inner);
        long[] start = inner.chunkStart(chunk.chunkIndex());
        if (!Arrays.equals(ShardUploads.shardOf(start, array.grid()), index)
            || !elements.isWhole(array.furthestShape())) {
          throw new IllegalArgumentException(
              "the part at "
                  + part.selection()
                  + " is not of whole inner chunks of the shard "
                  + Arrays.toString(index)
                  + "; they have the shape "
                  + innerShape);
        }
        long[] place = ShardUploads.placeIn(array.grid().chunkStart(index), start, innerShape);
        int number = ShardPlaces.number(place, layout.innerGrid().gridShape().toArray());
        if (arrived.get(number)) {
          throw new IllegalArgumentException(
              "the part at " + part.selection() + " has an inner chunk that came before");
        }
        arrived.set(number);
        chunks.add(elements);
      }
      return chunks;
    }

    void checkComplete() {
      long expected = ShardUpload.insideTheArray(array, index, layout);
      if (arrived.cardinality() != expected) {
        throw new IllegalArgumentException(
            "the parts are "
                + arrived.cardinality()
                + " of "
                + expected
                + " inner chunks of the shard "
                + Arrays.toString(index)
                + "; nothing is stored of it");
      }
    }
  }
}
