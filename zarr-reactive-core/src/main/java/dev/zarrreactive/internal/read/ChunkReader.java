package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.HierarchyContext;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Relay.OffFileThread;
import dev.zarrreactive.internal.link.Connections;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.read.ChunkRequest.Piece;
import dev.zarrreactive.internal.read.OpenShard.StaleShardRetry;
import dev.zarrreactive.store.LocatedValues;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The read line: the plan of a selection, the planner of fetches, the fetcher, the decoder, and the
 * sink that places or delivers the pieces. A missing chunk reads as the fill value. Every error
 * names the place of its chunk. The line starts on the codec scheduler, so that planning never
 * occupies the subscriber's thread.
 */
public final class ChunkReader {
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  private final ArrayStorage array;

  /** Creates a reader of the chunks of {@code array}. */
  public ChunkReader(ArrayStorage array) {
    this.array = array;
  }

  /** Reads the selection into one array, as the method with a budget does. */
  public Mono<NdArray> read(ResolvedSelection selection, @Nullable ElementConversion conversion) {
    return read(selection, conversion, array.context().budget());
  }

  /**
   * Reads the selection into one array. Elements that are joined, and that chunks or indices
   * divide, are read first.
   *
   * @param conversion makes the elements of the result; null for those that are stored
   * @param budget counts the bytes of its chunks
   * @throws IllegalArgumentException for a part of elements that are joined
   */
  public Mono<NdArray> read(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ByteBudget budget) {
    Shape selected = selection.shape();
    Shape shape = conversion == null ? selected : conversion.shape(selected);
    if (conversion != null && conversion.joined().isPresent() && !hasWholeRows(selection)) {
      return read(selection, null, budget).map(conversion::convert);
    }
    return fill(selected, () -> ChunkPlan.of(selection, array.grid()), budget, conversion, null)
        .map(sink -> sink.toNdArray(shape));
  }

  /** Returns true if the last dimension is neither divided by chunks nor by the selection. */
  private boolean hasWholeRows(ResolvedSelection selection) {
    int last = array.metadata().shape().rank() - 1;
    long extent = array.metadata().shape().extent(last);
    return selection instanceof ResolvedSelection.Orthogonal box
        && box.axes().get(last) instanceof Axis.Range row
        && row.equals(new Axis.Range(0, extent, 1, false))
        && array.checks().unit().representation().shape().extent(last) >= extent;
  }

  /**
   * Reads the selection into memory of the caller, of any content.
   *
   * @param conversion makes the elements of the memory; null for those that are stored
   */
  public Mono<Void> readInto(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ElementMemory memory) {
    return fill(
            selection.shape(),
            () -> ChunkPlan.of(selection, array.grid()),
            array.context().budget(),
            conversion,
            memory)
        .then();
  }

  /**
   * Reads the chunks of a plan into a result.
   *
   * @param shape the shape of their elements, before a conversion
   * @param memory the memory of the caller; null for memory of the result's own
   */
  private Mono<ArraySink> fill(
      Shape shape,
      Supplier<ChunkPlan> plan,
      ByteBudget budget,
      @Nullable ElementConversion conversion,
      @Nullable ElementMemory memory) {
    Scheduler codecs = array.limits().codecScheduler();
    return Mono.defer(
            () -> {
              Shape result = conversion == null ? shape : conversion.shape(shape);
              DataType type =
                  conversion == null ? array.metadata().dataType() : conversion.target();
              array.checks().result(result, type);
              if (conversion != null && memory == null) {
                array.checks().fixedSize();
              }
              ReadOperation operation =
                  ReadOperation.assembled(array, budget, result.byteSize(type.memorySize()));
              ArraySink sink = new ArraySink(operation, conversion, result, type, memory);
              Mono<ArraySink> filled = place(plan.get(), operation, sink).thenReturn(sink);
              return operation.whole(new OffFileThread<>(filled, codecs));
            })
        .subscribeOn(codecs)
        .contextWrite(HierarchyContext::inOperation);
  }

  private Mono<Void> place(ChunkPlan plan, ReadOperation operation, ArraySink sink) {
    Decoder decoder = new Decoder(operation);
    Fetcher fetcher = new Fetcher(operation, decoder, sink);
    Function<Fetch, Publisher<Fetch>> read =
        array.isSharded() || array.context().located() != null
            ? new StaleShardRetry<Fetch>(
                    array.context().generations(),
                    fetcher,
                    loaded -> decoder.placeAll(loaded, sink))
                ::read
            : fetcher::load;
    Flux<Fetch> planned = new FetchPlanner(operation, null).fetches(plan);
    return sink.clearBefore(Concurrently.map(planned, operation.concurrency(), read).then());
  }

  /**
   * Streams the results of work on the selection's chunks.
   *
   * @param inOrder true for the C order of the indices of chunks and inner chunks, false for the
   *     order in which they arrive
   */
  public <T> Flux<T> chunks(ResolvedSelection selection, ChunkWork<T> work, boolean inOrder) {
    return Flux.defer(
            () -> {
              ReadOperation operation = ReadOperation.streamed(array, work.growth());
              Decoder decoder = new Decoder(operation);
              ChunkSink<T> sink = new ChunkSink<>(operation, work);
              StaleShardRetry<ChunkSink.Delivery<T>> retry =
                  new StaleShardRetry<>(
                      array.context().generations(),
                      new Fetcher(operation, decoder, null),
                      loaded -> decoder.deliver(loaded, sink));
              Flux<ChunkSink.Delivery<T>> decoded =
                  Concurrently.map(
                      new FetchPlanner(operation, sink)
                          .fetches(ChunkPlan.of(selection, array.grid())),
                      Integer.MAX_VALUE,
                      retry::read);
              return operation.onDemand(sink.deliver(decoded, inOrder));
            })
        .subscribeOn(array.limits().codecScheduler(), false)
        .contextWrite(HierarchyContext::inOperation);
  }

  /** Reads one whole chunk, with the part of it that lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    long[] at = index.clone();
    Shape shape = array.grid().chunkShape(at);
    return Mono.defer(
            () -> {
              array.checks().wholeReadable();
              return fill(
                  shape,
                  () -> ChunkPlan.ofChunk(array.grid(), at),
                  array.context().budget(),
                  null,
                  null);
            })
        .map(sink -> sink.toNdArray(shape))
        .onErrorMap(ZarrException.class, e -> ArrayStorage.located(e, array.location(at)));
  }

  /** Reads the stored bytes of one chunk; empty if it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    long[] at = index.clone();
    return Mono.defer(
            () ->
                StoredChunkSize.read(
                    array.codec(at), whole -> array.requests().get(array.key(at), whole)))
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(at)));
  }

  /** Returns true if one chunk has a value in the store; none of its bytes are read. */
  public Mono<Boolean> isStored(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(() -> array.requests().get(array.key(index), NOTHING))
        .hasElement()
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /**
   * Plans the fetches for the chunks of a selection, in the order of the plan, as they are
   * demanded. A chunk that is stored as one value becomes one fetch. For a shard the planner looks
   * up the index, for some shards in advance, and coalesces the ranges of inner chunks.
   */
  static final class FetchPlanner {
    private final ReadOperation operation;
    private final ArrayStorage array;
    private final @Nullable ChunkSink<?> stream;

    /**
     * Creates a planner.
     *
     * @param stream admits pieces one after the other; null where the budget alone bounds them
     */
    FetchPlanner(ReadOperation operation, @Nullable ChunkSink<?> stream) {
      this.operation = operation;
      this.array = operation.array();
      this.stream = stream;
    }

    /** Returns the fetches of the chunks of a plan. */
    Flux<Fetch> fetches(ChunkPlan plan) {
      array.checks().readable();
      Flux<ChunkRequest> chunks = Flux.fromIterable(() -> new Requests(plan.iterator()));
      return admit(array.isSharded() ? ofShards(chunks, plan.size()) : ofChunks(chunks));
    }

    private Flux<Fetch> ofChunks(Flux<ChunkRequest> chunks) {
      LocatedValues located = array.context().located();
      return located == null || !array.hasNumbers()
          ? chunks.map(this::fetch)
          : new LocatedChunks(operation, located).fetches(chunks);
    }

    private Flux<Fetch> ofShards(Flux<ChunkRequest> shards, long count) {
      Connections connections = Connections.sharedBy(count, operation.concurrency());
      if (count == 1 && stream == null) {
        return shards
            .next()
            .flatMap(shard -> new OpenShard(operation, shard, connections).open())
            .flatMapMany(OpenShard::fetches);
      }
      Flux<ChunkRequest> admitted =
          stream == null
              ? shards
              : shards.concatMap(shard -> admit(shard, stream.admission(shard.first())), 0);
      return Concurrently.mapInOrder(
              admitted,
              operation.concurrency(),
              shard -> new OpenShard(operation, shard, connections).open())
          .concatMap(OpenShard::fetches, 0);
    }

    private Flux<Fetch> admit(Flux<Fetch> fetches) {
      return stream == null
          ? fetches
          : fetches.concatMap(
              fetch ->
                  admit(
                      fetch,
                      fetch instanceof Fetch.OfParts
                          ? stream.requestAdmission(fetch.nextNumber())
                          : stream.admission(fetch.nextNumber())),
              0);
    }

    private static <T> Mono<T> admit(T value, @Nullable Mono<Void> admitted) {
      return admitted == null ? Mono.just(value) : admitted.thenReturn(value);
    }

    /** The requests for the chunks of the plan, with their pieces numbered. */
    private final class Requests implements Iterator<ChunkRequest> {
      private final Iterator<ChunkProjection> plan;
      private long number;

      Requests(Iterator<ChunkProjection> plan) {
        this.plan = plan;
      }

      @Override
      public boolean hasNext() {
        return plan.hasNext();
      }

      @Override
      public ChunkRequest next() {
        ChunkRequest request = ChunkRequest.of(array, plan.next(), number);
        number += array.isSharded() && operation.isStreamed() ? request.innerChunks().size() : 1;
        return request;
      }
    }

    /** Returns the fetch of a chunk that is stored as a value of its own. */
    private Fetch fetch(ChunkRequest chunk) {
      Piece piece = Piece.of(chunk);
      if (operation.tryTakeCached(piece)) {
        return new Fetch.OfKnown(chunk, List.of(piece), operation.lease(0, 0, 0, 1));
      }
      SizeBound bound = chunk.codec().encodedSize();
      long decoded = operation.held(piece.decodedBytes());
      long encoded = bound.exact() ? bound.bytes() : ByteBudget.expected(decoded);
      piece.held(decoded);
      return new Fetch.OfChunk(
          chunk, List.of(piece), encoded, operation.lease(encoded, 1, decoded, 1));
    }
  }
}
