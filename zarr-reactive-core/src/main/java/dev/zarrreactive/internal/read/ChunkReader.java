package dev.zarrreactive.internal.read;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
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
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
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
  private Mono<NdArray> read(
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
              return new ResultBuffer(operation, shape, type(conversion));
            },
            conversion)
        .map(ResultBuffer::toNdArray);
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
          return fill(
                  selection.shape(),
                  () -> ChunkPlan.of(selection, array.grid()),
                  array.context().budget(),
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

  /** Reads the chunks of a plan into a result. */
  private Mono<ResultBuffer> fill(
      Shape shape,
      Supplier<ChunkPlan> plan,
      ByteBudget budget,
      Function<ReadOperation, ResultBuffer> results,
      @Nullable ElementConversion conversion) {
    return Mono.defer(
            () -> {
              array
                  .checks()
                  .result(conversion == null ? shape : conversion.shape(shape), type(conversion));
              ReadOperation operation = ReadOperation.assembled(array, budget);
              ResultBuffer result = results.apply(operation);
              Mono<ResultBuffer> filled =
                  place(plan.get(), operation, result, conversion).thenReturn(result);
              return new OffFileThread<>(filled, array.limits().codecScheduler())
                  .doFinally(end -> operation.end());
            })
        .subscribeOn(array.limits().codecScheduler())
        .contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> place(
      ChunkPlan plan,
      ReadOperation operation,
      ResultBuffer result,
      @Nullable ElementConversion conversion) {
    Decoder decoder = new Decoder(operation);
    ArraySink sink = new ArraySink(operation, result, conversion);
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
    return result.cleared(pieces);
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
                    return new BandStream(
                            array,
                            (band, own) -> read(band, by, own),
                            plan,
                            encoder,
                            pieceSize,
                            part)
                        .pieces();
                  },
                  count -> streams.decrementAndGet());
            })
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofNode(array.path().value())));
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
                  operation -> new ResultBuffer(operation, shape, type(null)),
                  null);
            })
        .map(ResultBuffer::toNdArray)
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
