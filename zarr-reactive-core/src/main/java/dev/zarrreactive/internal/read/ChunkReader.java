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
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.OperationMark;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.Relay.OffFileThread;
import dev.zarrreactive.internal.planning.ChunkPlan;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

  /** Reads the selection into one array. */
  public Mono<NdArray> read(ResolvedSelection selection) {
    return read(selection, null, array.context().budget());
  }

  /**
   * Reads the selection into one array of converted elements. Elements that are joined, and that
   * chunks or indices divide, are read first.
   *
   * @throws IllegalArgumentException for a part of elements that are joined
   */
  public Mono<NdArray> read(ResolvedSelection selection, ElementConversion conversion) {
    return read(selection, conversion, array.context().budget());
  }

  /**
   * Reads the selection into one array.
   *
   * @param conversion makes the elements of the result; null for those that are stored
   * @param budget counts the bytes of its chunks
   */
  public Mono<NdArray> read(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ByteBudget budget) {
    Shape selected = selection.shape();
    Shape shape = conversion == null ? selected : conversion.shape(selected);
    if (conversion != null && conversion.joined().isPresent() && !hasWholeRows(selection)) {
      return read(selection, null, budget).map(conversion::convert);
    }
    return fill(
            selected,
            () -> ChunkPlan.of(selection, array.grid()),
            budget,
            operation -> {
              if (conversion != null) {
                array.checks().fixedSize();
              }
              return new ArraySink(operation, conversion, shape, type(conversion));
            },
            conversion)
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
            operation -> new ArraySink(operation, conversion, memory),
            conversion)
        .then();
  }

  /** Returns the type of the elements that a conversion makes. */
  private DataType type(@Nullable ElementConversion conversion) {
    return conversion == null ? array.metadata().dataType() : conversion.target();
  }

  /** Reads the chunks of a plan into a result. */
  private Mono<ArraySink> fill(
      Shape shape,
      Supplier<ChunkPlan> plan,
      ByteBudget budget,
      Function<ReadOperation, ArraySink> sinks,
      @Nullable ElementConversion conversion) {
    return Mono.defer(
            () -> {
              array
                  .checks()
                  .result(conversion == null ? shape : conversion.shape(shape), type(conversion));
              ReadOperation operation = ReadOperation.assembled(array, budget);
              ArraySink sink = sinks.apply(operation);
              Mono<ArraySink> filled = place(plan.get(), operation, sink).thenReturn(sink);
              return new OffFileThread<>(filled, array.limits().codecScheduler())
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler())
        .contextWrite(OperationMark::add);
  }

  private Mono<Void> place(ChunkPlan plan, ReadOperation operation, ArraySink sink) {
    Decoder decoder = new Decoder(operation);
    Fetcher fetcher = new Fetcher(operation, decoder, sink);
    StaleShardRetry<Fetch> retry =
        new StaleShardRetry<>(
            array.context().generations(), fetcher, loaded -> decoder.placeAll(loaded, sink));
    Mono<Void> pieces =
        Concurrently.<Fetch, Fetch>map(
                new FetchPlanner(operation, number -> null).fetches(plan),
                operation.concurrency(),
                fetch -> fetch instanceof Fetch.OfChunk ? fetcher.load(fetch) : retry.read(fetch))
            .then();
    return sink.cleared(pieces);
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
                      new FetchPlanner(operation, sink::admission).fetches(selection),
                      Integer.MAX_VALUE,
                      retry::read);
              return operation
                  .onDemand(sink.deliver(decoded, inOrder))
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler(), false)
        .contextWrite(OperationMark::add);
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
                  operation -> new ArraySink(operation, null, shape, type(null)),
                  null);
            })
        .map(sink -> sink.toNdArray(shape))
        .onErrorMap(ZarrException.class, e -> ChunkRequest.located(e, array.location(at)));
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
}
