package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import java.util.function.Function;
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

  /** A reader of the chunks of {@code array}. */
  public ChunkReader(ArrayStorage array) {
    this.array = array;
  }

  /** The selection, assembled. */
  public Mono<NdArray> read(ResolvedSelection selection) {
    Shape shape = selection.shape();
    return Mono.defer(
        () -> {
          array.checkResult(shape);
          Result result = new Result(array, shape);
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.map(
                  encodedChunks(selection),
                  array.concurrency(),
                  chunk -> assemble(chunk, result, scratch))
              .then(Mono.fromSupplier(() -> result.memory().toNdArray(shape)));
        });
  }

  /** The selection chunk by chunk, in the order in which chunks arrive. */
  public Flux<Chunk> chunks(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.map(
              encodedChunks(selection), array.concurrency(), chunk -> emit(chunk, scratch));
        });
  }

  /** The selection chunk by chunk, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.mapInOrder(
              encodedChunks(selection), array.concurrency(), chunk -> emit(chunk, scratch));
        });
  }

  /** One whole chunk, also what of it lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(
        () -> {
          array.checkWholeReadable();
          ChunkCodec codec = array.codec(index);
          return load(
              array.location(index),
              array.source(index).all(),
              codec::decode,
              () -> filled(codec.representation().shape()));
        });
  }

  /** The stored bytes of one chunk; empty where it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    return array
        .source(index)
        .all()
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

  /** What is to be fetched and decoded, in C order: chunks, or the inner chunks of shards. */
  private Flux<EncodedChunk> encodedChunks(ResolvedSelection selection) {
    array.checkReadable();
    Flux<EncodedChunk> chunks =
        Flux.fromIterable(ChunkPlan.of(selection, array.grid())).map(array::encodedChunk);
    return array.isSharded() ? new ShardOpener(array).open(chunks) : chunks;
  }

  private Mono<Boolean> assemble(EncodedChunk chunk, Result result, Scratch.Pool scratch) {
    Region region = chunk.projection().region();
    return load(
        chunk,
        encoded -> {
          long place = region.placeOfWholeChunk();
          if (place >= 0 && chunk.codec().decodesInPlace()) {
            chunk.codec().decodeInto(encoded, result.memory(), (int) place);
            return true;
          }
          return scratch.use(
              memory -> {
                NdArray decoded = chunk.codec().decode(encoded, memory);
                region.copyToResult(ElementMemory.of(decoded), result.memory());
                return true;
              });
        },
        () -> {
          if (!array.metadata().fillValue().isZero()) { // new memory is zero
            region.fillResult(result.memory(), array.metadata().fillValue());
          }
          return true;
        });
  }

  private Mono<Chunk> emit(EncodedChunk chunk, Scratch.Pool scratch) {
    ChunkProjection part = chunk.projection();
    Shape shape = part.selected().shape();
    return load(
            chunk,
            encoded -> {
              Region alone = part.region().alone();
              if (alone.placeOfWholeChunk() == 0
                  && shape.equals(chunk.codec().representation().shape())) {
                return chunk.codec().decode(encoded);
              }
              return scratch.use(
                  memory -> {
                    ElementMemory result = array.newResult(shape);
                    NdArray decoded = chunk.codec().decode(encoded, memory);
                    alone.copyToResult(ElementMemory.of(decoded), result);
                    return result.toNdArray(shape);
                  });
            },
            () -> filled(shape))
        .map(data -> new Chunk(chunk.gridIndex(), part.selected(), data));
  }

  private NdArray filled(Shape shape) {
    return NdArray.filled(shape, array.metadata().fillValue());
  }

  /** Loads a chunk, and once more where it turns out to have been replaced meanwhile. */
  private <T> Mono<T> load(EncodedChunk chunk, Function<Bytes, T> decode, Supplier<T> missing) {
    ByteSource source = chunk.source();
    if (source == null) {
      return load(chunk.location(), Mono.empty(), decode, missing);
    }
    return load(source.all(), decode, missing)
        .onErrorResume(ZarrException.class, e -> load(source.allAnew(e), decode, missing))
        .onErrorMap(ZarrException.class, e -> e.at(chunk.location()))
        .doOnTerminate(source::release);
  }

  /**
   * Hops once to the codec scheduler for what is to be done with a chunk's stored bytes, or where
   * there are none.
   */
  <T> Mono<T> load(
      Location location, Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing) {
    return load(stored, decode, missing).onErrorMap(ZarrException.class, e -> e.at(location));
  }

  private <T> Mono<T> load(Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing) {
    return stored
        .publishOn(array.limits().codecScheduler())
        .map(encoded -> inMemory(() -> decode.apply(encoded)))
        .switchIfEmpty(Mono.fromSupplier(() -> inMemory(missing)));
  }

  /** Memory that does not suffice would end the thread, and the subscriber would wait for ever. */
  private static <T> T inMemory(Supplier<T> work) {
    try {
      return work.get();
    } catch (OutOfMemoryError e) {
      throw new CodecException(
          "not enough memory for the chunk; fewer are held at a time with a smaller"
              + " maxInFlightBytes",
          Location.UNKNOWN,
          e);
    }
  }
}
