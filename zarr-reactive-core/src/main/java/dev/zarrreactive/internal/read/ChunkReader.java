package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.read.ReadOperation.Kind;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.decorator.RequestLimit;
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
  private final StaleShardRetry retry;

  /** Creates a reader of the chunks of {@code array}. */
  public ChunkReader(ArrayStorage array) {
    this.array = array;
    this.retry = new StaleShardRetry(array.context().generations());
  }

  /** Reads the selection into one array. */
  public Mono<NdArray> read(ResolvedSelection selection) {
    return read(selection, () -> new ReadOperation(array, Kind.ASSEMBLED));
  }

  /** Reads the selection into one array; its chunks count in a budget of their own. */
  Mono<NdArray> read(ResolvedSelection selection, ByteBudget own) {
    return read(selection, () -> new ReadOperation(array, Kind.ASSEMBLED, own));
  }

  private Mono<NdArray> read(ResolvedSelection selection, Supplier<ReadOperation> operations) {
    Shape shape = selection.shape();
    return Mono.defer(
            () -> {
              array.checks().result(shape);
              ReadOperation operation = operations.get();
              ResultBuffer result = new ResultBuffer(array, shape);
              return assembled(selection, operation, result)
                  .then(Mono.fromSupplier(result::toNdArray))
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler())
        .contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> assembled(
      ResolvedSelection selection, ReadOperation operation, ResultBuffer result) {
    Decoder decoder = new Decoder(operation);
    Fetcher fetcher = new Fetcher(operation, decoder);
    ArraySink sink = new ArraySink(operation, result);
    Mono<Void> pieces =
        Concurrently.map(
                new FetchPlanner(operation, number -> null).fetches(selection),
                operation.concurrency(),
                fetch ->
                    located(
                        fetch,
                        retry.<Void>read(
                            fetch,
                            any -> result.after(fetcher.load(any)),
                            loaded -> decoder.placed(loaded, sink))))
            .then();
    return result.cleared(pieces);
  }

  private static <T> Flux<T> located(Fetch fetch, Flux<T> work) {
    return work.onErrorMap(ZarrException.class, e -> OpenShard.located(e, fetch.location()));
  }

  /** Streams the selection chunk by chunk, in the order in which chunks arrive. */
  public Flux<Chunk> chunks(ResolvedSelection selection) {
    return chunks(selection, false);
  }

  /** Streams the selection chunk by chunk, in C order of the indices of chunks and inner chunks. */
  public Flux<Chunk> chunksInOrder(ResolvedSelection selection) {
    return chunks(selection, true);
  }

  private Flux<Chunk> chunks(ResolvedSelection selection, boolean inOrder) {
    return Flux.defer(
            () -> {
              ReadOperation operation = new ReadOperation(array, Kind.STREAMED);
              Decoder decoder = new Decoder(operation);
              Fetcher fetcher = new Fetcher(operation, decoder);
              ChunkSink sink = new ChunkSink(operation);
              Flux<ChunkSink.Delivery> decoded =
                  Concurrently.map(
                      new FetchPlanner(operation, sink::admitted).fetches(selection),
                      Integer.MAX_VALUE,
                      fetch ->
                          located(
                              fetch,
                              retry.read(
                                  fetch,
                                  fetcher::load,
                                  loaded -> decoder.delivered(loaded, sink))));
              return sink.handOn(decoded, inOrder).doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler(), false)
        .contextWrite(RequestLimit::asOperation);
  }

  /**
   * Streams the encoded selection in C order, in pieces.
   *
   * @param pieceSize the most bytes of a piece
   */
  public Flux<Bytes> encode(ResolvedSelection selection, Encoding encoding, int pieceSize) {
    return Flux.defer(
            () -> {
              Encoder encoder = encoding.encoder(array.metadata(), selection);
              array.checks().readable();
              BandPlan plan = new BandPlan(array, selection);
              return new BandStream(array, this, plan, encoder, pieceSize).pieces();
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(array.path().value())));
  }

  /** Reads one whole chunk, with the part of it that lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(
            () -> {
              array.checks().wholeReadable();
              ChunkCodec codec = array.codec(index);
              ReadOperation operation = new ReadOperation(array, Kind.STREAMED);
              long size = codec.representation().byteSize();
              ByteLease lease = operation.lease(ByteBudget.expected(size), 1, size, 1);
              @Nullable Mono<Void> acquired = lease.acquired();
              Mono<Bytes> stored = Fetcher.whole(array, codec, index);
              return (acquired == null ? stored : acquired.then(stored))
                  .publishOn(array.limits().codecScheduler())
                  .map(encoded -> decoded(codec, encoded, size))
                  .switchIfEmpty(Mono.fromSupplier(() -> filled(codec)))
                  .onErrorMap(ZarrException.class, e -> e.at(array.location(index)))
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler());
  }

  private NdArray decoded(ChunkCodec codec, Bytes encoded, long size) {
    return MemoryGuard.allocating(
        "of a chunk",
        size,
        Location.UNKNOWN,
        () ->
            array
                .context()
                .instrumentation()
                .decoding(size, (Bytes bytes) -> codec.decode(bytes))
                .apply(encoded));
  }

  private NdArray filled(ChunkCodec codec) {
    return MemoryGuard.allocating(
        "of a chunk",
        codec.representation().byteSize(),
        Location.UNKNOWN,
        () -> NdArray.filled(codec.representation().shape(), array.metadata().fillValue()));
  }

  /** Reads the stored bytes of one chunk; empty if it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(() -> Fetcher.whole(array, array.codec(index), index))
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
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
