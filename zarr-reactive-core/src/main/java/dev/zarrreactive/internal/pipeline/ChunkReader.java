package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.pipeline.ChunkLoader.Loaded;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.RequestLimit;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads chunks: plan, open shards, fetch, and in one hop on the codec scheduler decode and assemble
 * or emit. A missing chunk is fill value; every error is located.
 */
public final class ChunkReader {
  private static final ByteRange NOTHING = new ByteRange.Slice(0, 0);

  private final ArrayStorage array;
  private final ChunkLoader loader;

  /** A reader of the chunks of {@code array}. */
  public ChunkReader(ArrayStorage array) {
    this.array = array;
    this.loader = new ChunkLoader(array);
  }

  /** The selection, assembled. */
  public Mono<NdArray> read(ResolvedSelection selection) {
    return read(selection, () -> new Reading(array, Reading.Result.ASSEMBLED));
  }

  /** The selection, assembled from chunks that count in a budget of its own. */
  Mono<NdArray> read(ResolvedSelection selection, ByteBudget own) {
    return read(selection, () -> new Reading(array, own));
  }

  private Mono<NdArray> read(ResolvedSelection selection, Supplier<Reading> operation) {
    Shape shape = selection.shape();
    return Mono.defer(
        () -> {
          array.checks().result(shape);
          Reading reading = operation.get();
          Result result = new Result(array, shape);
          result.prepare(array.limits().codecScheduler());
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.map(
                  reading.chunks(selection),
                  reading.concurrency(),
                  chunk -> assemble(chunk, reading, result, scratch))
              .then(Mono.fromSupplier(() -> result.memory().toNdArray(shape)))
              .doFinally(end -> reading.close())
              .contextWrite(RequestLimit::asOperation);
        });
  }

  /** The selection chunk by chunk, in the order in which chunks arrive. */
  public Flux<Chunk> chunks(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          Reading reading = new Reading(array, Reading.Result.STREAMED);
          Scratch.Pool scratch = new Scratch.Pool();
          return handedOn(
              Concurrently.map(
                  reading.chunks(selection),
                  reading.concurrency(),
                  chunk -> emit(chunk, reading, scratch)),
              reading);
        });
  }

  /**
   * The selection's bytes in C order, in pieces.
   *
   * @param pieceSize the most bytes of a piece
   */
  public Flux<Bytes> bytes(ResolvedSelection selection, int pieceSize) {
    return Flux.defer(
        () -> {
          array.checks().fixedSize();
          array.checks().readable();
          return new BandStream(array, this, new BandPlan(array, selection), pieceSize).pieces();
        });
  }

  /** The selection chunk by chunk, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          Reading reading = new Reading(array, Reading.Result.STREAMED_IN_ORDER);
          Scratch.Pool scratch = new Scratch.Pool();
          return handedOn(
              Concurrently.mapInOrder(
                  reading.chunks(selection),
                  reading.concurrency(),
                  chunk -> emit(chunk, reading, scratch)),
              reading);
        });
  }

  /** A decoded chunk counts as held until the subscriber has it. */
  private static Flux<Chunk> handedOn(Flux<Loaded<Chunk>> chunks, Reading reading) {
    return chunks
        .map(
            decoded -> {
              decoded.handedOn();
              return decoded.value();
            })
        .doFinally(end -> reading.close())
        .contextWrite(RequestLimit::asOperation);
  }

  /** One whole chunk, also what of it lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(
        () -> {
          array.checks().wholeReadable();
          ChunkCodec codec = array.codec(index);
          Reading reading = new Reading(array, Reading.Result.STREAMED);
          long decoded = codec.representation().byteSize();
          HeldBytes held = reading.hold(1, Reading.expected(decoded), decoded);
          return loader
              .load(
                  array.location(index),
                  held.granted().then(array.stored(codec, index)),
                  array.client().telling().decoding(decoded, codec::decode),
                  () -> filled(codec.representation().shape()),
                  decoded)
              .doFinally(end -> reading.close());
        });
  }

  /** The stored bytes of one chunk; empty where it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    return array
        .stored(array.codec(index), index)
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /** True where one chunk has a value in the store, of which nothing is read. */
  public Mono<Boolean> isStored(long... index) {
    array.grid().checkIndex(index);
    return array
        .source(index)
        .range(NOTHING)
        .hasElement()
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  private Mono<Boolean> assemble(
      EncodedChunk chunk, Reading reading, Result result, Scratch.Pool scratch) {
    ChunkCodec codec = chunk.wanted().codec();
    Region region = chunk.wanted().projection().region();
    return loader
        .load(
            chunk,
            reading,
            encoded -> {
              long place = region.placeOfWholeChunk();
              if (place >= 0 && codec.decodesInPlace()) {
                codec.decodeInto(encoded, result.memory(), (int) place);
                return true;
              }
              return scratch.use(
                  memory -> copied(codec.decode(encoded, memory), region, result.memory()));
            },
            decoded -> copied(decoded, region, result.memory()),
            () -> {
              if (!array.metadata().fillValue().isZero()) { // new memory is zero
                region.fillResult(result.memory(), array.metadata().fillValue());
              }
              return true;
            })
        .map(
            loaded -> {
              loaded.handedOn();
              return loaded.value();
            });
  }

  private static boolean copied(NdArray chunk, Region region, ElementMemory result) {
    region.copyToResult(ElementMemory.of(chunk), result);
    return true;
  }

  private Mono<Loaded<Chunk>> emit(EncodedChunk chunk, Reading reading, Scratch.Pool scratch) {
    ChunkCodec codec = chunk.wanted().codec();
    ChunkProjection part = chunk.wanted().projection();
    Shape shape = part.selected().shape();
    Region region = part.region().alone();
    boolean whole = region.placeOfWholeChunk() == 0 && shape.equals(codec.representation().shape());
    return loader
        .load(
            chunk,
            reading,
            encoded ->
                whole
                    ? ChunkLoader.decodeAlone(chunk, encoded)
                    : scratch.use(memory -> selected(codec.decode(encoded, memory), region, shape)),
            decoded -> whole ? decoded : selected(decoded, region, shape),
            () -> filled(shape))
        .map(
            loaded ->
                new Loaded<>(
                    new Chunk(chunk.wanted().gridIndex(), part.selected(), loaded.value()),
                    loaded.held()));
  }

  private NdArray selected(NdArray chunk, Region region, Shape shape) {
    ElementMemory result = array.newResult(shape);
    region.copyToResult(ElementMemory.of(chunk), result);
    return result.toNdArray(shape);
  }

  private NdArray filled(Shape shape) {
    return NdArray.filled(shape, array.metadata().fillValue());
  }
}
