package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.OffFileThread;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.read.ReadOperation.Kind;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
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
  /** The bytes that are copied into a direct buffer at a time. */
  private static final int PIECE = 1 << 20;

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
    return read(selection, null, () -> new ReadOperation(array, Kind.ASSEMBLED));
  }

  /**
   * Reads the selection into one array of converted elements. Elements that are joined, and that
   * chunks or indices divide, are read first.
   *
   * @throws IllegalArgumentException for a part of elements that are joined
   */
  public Mono<NdArray> read(ResolvedSelection selection, ElementConversion conversion) {
    return converted(selection, conversion, () -> new ReadOperation(array, Kind.ASSEMBLED));
  }

  private Mono<NdArray> converted(
      ResolvedSelection selection,
      ElementConversion conversion,
      Supplier<ReadOperation> operations) {
    conversion.shape(selection.shape());
    return conversion.joined().isEmpty() || hasWholeRows(selection)
        ? read(selection, conversion, operations)
        : read(selection, null, operations).map(conversion::convert);
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

  /** Reads the selection into one array; its chunks count in a budget of their own. */
  Mono<NdArray> read(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ByteBudget own) {
    Supplier<ReadOperation> operations = () -> new ReadOperation(array, Kind.ASSEMBLED, own);
    return conversion == null
        ? read(selection, null, operations)
        : converted(selection, conversion, operations);
  }

  private Mono<NdArray> read(
      ResolvedSelection selection,
      @Nullable ElementConversion conversion,
      Supplier<ReadOperation> operations) {
    return filled(
            selection.shape(),
            () -> ChunkPlan.of(selection, array.grid()),
            operations,
            operation -> result(operation, selection.shape(), conversion),
            conversion)
        .map(ResultBuffer::toNdArray);
  }

  private ResultBuffer result(
      ReadOperation operation, Shape shape, @Nullable ElementConversion conversion) {
    if (conversion == null) {
      return new ResultBuffer(operation, shape, array.metadata().dataType());
    }
    array.checks().fixedSize();
    return new ResultBuffer(operation, conversion.shape(shape), conversion.target());
  }

  /** Reads the stored elements of the selection into a buffer. */
  public Mono<ByteBuffer> readInto(ResolvedSelection selection, ByteBuffer target) {
    return readInto(selection, null, target);
  }

  /**
   * Reads the selection into a buffer with enough room, at its position: straight into the array of
   * a heap buffer, and in bands of chunks into a direct one.
   *
   * @param conversion makes the elements of the buffer, one for one; null for those that are stored
   * @return the part of the buffer that was written, in little-endian order
   * @throws IllegalArgumentException if too few bytes remain in the buffer, it is read-only, or
   *     elements are joined
   */
  public Mono<ByteBuffer> readInto(
      ResolvedSelection selection, @Nullable ElementConversion conversion, ByteBuffer target) {
    if (conversion != null && conversion.joined().isPresent()) {
      throw new IllegalArgumentException(
          "a buffer takes elements one for one; read(selection) joins them");
    }
    Encoding raw = Encoding.raw(ByteOrder.LITTLE_ENDIAN);
    Encoding images = conversion == null ? raw : raw.converted(conversion);
    DataType type = type(conversion);
    checkRoom(selection.shape(), type, target);
    ByteBuffer from = target.slice();
    return Mono.defer(
        () -> {
          array.checks().fixedSize();
          array.checks().fixedSize(type);
          int size = selection.shape().byteSize(type.itemSize());
          ByteBuffer part = from.slice(0, size).order(ByteOrder.LITTLE_ENDIAN);
          if (!part.hasArray()) {
            ByteBuffer rest = part.duplicate();
            return encode(selection, images, PIECE)
                .doOnNext(piece -> rest.put(piece.asByteBuffer()))
                .then(Mono.just(part));
          }
          ElementMemory memory =
              ElementMemory.wrap(type, part.array(), part.arrayOffset(), size / type.itemSize());
          return filled(
                  selection.shape(),
                  () -> ChunkPlan.of(selection, array.grid()),
                  () -> new ReadOperation(array, Kind.ASSEMBLED),
                  operation -> new ResultBuffer(operation, selection.shape(), memory),
                  conversion)
              .thenReturn(part);
        });
  }

  /** Returns the type of the elements that a conversion makes. */
  private DataType type(@Nullable ElementConversion conversion) {
    return conversion == null ? array.metadata().dataType() : conversion.target();
  }

  private static void checkRoom(Shape selected, DataType type, ByteBuffer target) {
    if (type instanceof VariableLengthType) {
      return; // the read is refused
    }
    int room = target.remaining() / type.itemSize();
    if (target.isReadOnly() || selected.elementCountUpTo(room + 1L) > room) {
      throw new IllegalArgumentException(
          String.format(
              "a %s of %d remaining bytes has no room for %s elements of %s, of %d bytes each",
              target.isReadOnly() ? "read-only buffer" : "buffer",
              target.remaining(),
              selected.elementCount(),
              type,
              type.itemSize()));
    }
  }

  private Mono<ResultBuffer> filled(
      Shape shape,
      Supplier<ChunkPlan> plan,
      Supplier<ReadOperation> operations,
      Function<ReadOperation, ResultBuffer> results,
      @Nullable ElementConversion conversion) {
    return Mono.defer(
            () -> {
              array
                  .checks()
                  .result(conversion == null ? shape : conversion.shape(shape), type(conversion));
              ReadOperation operation = operations.get();
              ResultBuffer result = results.apply(operation);
              Mono<ResultBuffer> filled =
                  assembled(plan.get(), operation, result, conversion).thenReturn(result);
              return new OffFileThread<>(filled, array.limits().codecScheduler())
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler())
        .contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> assembled(
      ChunkPlan plan,
      ReadOperation operation,
      ResultBuffer result,
      @Nullable ElementConversion conversion) {
    Decoder decoder = new Decoder(operation);
    Fetcher fetcher = new Fetcher(operation, decoder, result::isThere);
    ArraySink sink = new ArraySink(operation, result, conversion);
    Mono<Void> pieces =
        Concurrently.map(
                new FetchPlanner(operation, number -> null).fetches(plan),
                operation.concurrency(),
                fetch ->
                    fetch.isAlone()
                        ? decoder.placed(fetch, result.after(fetcher.load(fetch)), sink)
                        : located(
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
    return chunks(selection, chunk -> chunk, false);
  }

  /** Streams the selection chunk by chunk, in C order of the indices of chunks and inner chunks. */
  public Flux<Chunk> chunksInOrder(ResolvedSelection selection) {
    return chunks(selection, chunk -> chunk, true);
  }

  /** Streams the results of work on the selection's chunks, in the order in which they arrive. */
  public <T> Flux<T> chunks(ResolvedSelection selection, ChunkWork<T> work) {
    return chunks(selection, work, false);
  }

  /**
   * Streams the results of work on chunks, in C order of the indices of chunks and inner chunks.
   */
  public <T> Flux<T> chunksInOrder(ResolvedSelection selection, ChunkWork<T> work) {
    return chunks(selection, work, true);
  }

  private <T> Flux<T> chunks(ResolvedSelection selection, ChunkWork<T> work, boolean inOrder) {
    return Flux.defer(
            () -> {
              ReadOperation operation = ReadOperation.streamed(array, work.growth());
              Decoder decoder = new Decoder(operation);
              Fetcher fetcher = new Fetcher(operation, decoder, () -> false);
              ChunkSink<T> sink = new ChunkSink<>(operation, work);
              Flux<ChunkSink.Delivery<T>> decoded =
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
              return operation
                  .onDemand(sink.handOn(decoded, inOrder))
                  .doFinally(end -> operation.end());
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
    return encode(selection, encoding, pieceSize, encoder -> ByteWindow.all());
  }

  /**
   * Streams a part of the encoded selection, in pieces. Bands outside are not read.
   *
   * @param offset the first byte
   */
  public Flux<Bytes> encode(
      ResolvedSelection selection, Encoding encoding, long offset, long count, int pieceSize) {
    if (offset < 0 || count < 0) {
      throw new IllegalArgumentException(
          "offset and count must be at least 0, not " + offset + " and " + count);
    }
    DataType type = type(encoding.conversion().orElse(null));
    long end = count > Long.MAX_VALUE - offset ? Long.MAX_VALUE : offset + count;
    return encode(
        selection,
        encoding,
        pieceSize,
        encoder -> {
          if (type instanceof VariableLengthType || !encoder.isFixedSize()) {
            throw new UnsupportedFeatureException(
                "a range of bytes needs a format in which all elements have the size of their data"
                    + " type: raw or .npy",
                Location.UNKNOWN);
          }
          return new ByteWindow(offset, end, encoder.begin().size());
        });
  }

  private Flux<Bytes> encode(
      ResolvedSelection selection,
      Encoding encoding,
      int pieceSize,
      Function<Encoder, ByteWindow> window) {
    if (pieceSize < 1) {
      throw new IllegalArgumentException("pieceSize must be at least 1, not " + pieceSize);
    }
    return Flux.defer(
            () -> {
              Encoder encoder = encoding.encoder(array.metadata(), selection);
              array.checks().readable();
              ByteWindow part = window.apply(encoder);
              AtomicInteger streams = array.context().streams();
              return Flux.using(
                  streams::incrementAndGet,
                  count -> {
                    ElementConversion by = encoding.conversion().orElse(null);
                    BandPlan plan = new BandPlan(array, selection, by, count);
                    return new BandStream(array, this, plan, encoder, by, pieceSize, part).pieces();
                  },
                  count -> streams.decrementAndGet());
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(array.path().value())));
  }

  /** Reads one whole chunk, with the part of it that lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    long[] place = index.clone();
    Shape shape = array.grid().chunkShape(place);
    return Mono.defer(
            () -> {
              array.checks().wholeReadable();
              return filled(
                  shape,
                  () -> ChunkPlan.ofChunk(array.grid(), place),
                  () -> new ReadOperation(array, Kind.ASSEMBLED),
                  operation -> result(operation, shape, null),
                  null);
            })
        .map(ResultBuffer::toNdArray)
        .onErrorMap(ZarrException.class, e -> OpenShard.located(e, array.location(place)));
  }

  /** Reads the stored bytes of one chunk; empty if it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    long[] place = index.clone();
    return Mono.defer(
            () ->
                StoredChunkSize.read(
                    array.codec(place), whole -> array.requests().get(array.key(place), whole)))
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(place)));
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
