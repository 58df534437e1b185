package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.internal.planning.Region;
import dev.zarrreactive.store.Bytes;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads chunks: plan, fetch, and in one hop on the codec scheduler decode and assemble or emit. A
 * missing chunk is fill value; every error is located.
 */
public final class ChunkReader {
  private final ArrayStorage array;
  private final DataType dataType;

  /** A reader of the chunks of {@code array}. */
  public ChunkReader(ArrayStorage array) {
    this.array = array;
    this.dataType = array.metadata().dataType();
  }

  /** The selection, assembled. */
  public Mono<NdArray> read(ResolvedSelection selection) {
    Shape shape = selection.shape();
    return Mono.defer(
        () -> {
          array.checkReadable();
          byte[] result = new byte[array.resultSize(shape)];
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.map(
                  plan(selection), array.concurrency(), part -> assemble(part, result, scratch))
              .then(Mono.fromSupplier(() -> NdArray.wrap(dataType, shape, Bytes.wrap(result))));
        });
  }

  /** The selection chunk by chunk, in the order in which chunks arrive. */
  public Flux<Chunk> chunks(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          array.checkReadable();
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.map(
              plan(selection), array.concurrency(), part -> emit(part, scratch));
        });
  }

  /** The selection chunk by chunk, in C order of the chunks' indices. */
  public Flux<Chunk> chunksInOrder(ResolvedSelection selection) {
    return Flux.defer(
        () -> {
          array.checkReadable();
          Scratch.Pool scratch = new Scratch.Pool();
          return Concurrently.mapInOrder(
              plan(selection), array.concurrency(), part -> emit(part, scratch));
        });
  }

  /** One whole chunk, also what of it lies beyond the array's end. */
  public Mono<NdArray> readChunk(long... index) {
    array.grid().checkIndex(index);
    return Mono.defer(
        () -> {
          array.checkReadable();
          ChunkCodec codec = array.codec(index);
          return load(
              index, fetch(index), codec::decode, () -> filled(codec.representation().shape()));
        });
  }

  /** The stored bytes of one chunk; empty where it is missing. */
  public Mono<Bytes> readEncodedChunk(long... index) {
    array.grid().checkIndex(index);
    return fetch(index)
        .publishOn(array.limits().codecScheduler())
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  private Flux<ChunkProjection> plan(ResolvedSelection selection) {
    return Flux.fromIterable(ChunkPlan.of(selection, array.grid()));
  }

  private Mono<Boolean> assemble(ChunkProjection part, byte[] result, Scratch.Pool scratch) {
    Region region = part.region();
    return load(
        part.chunkIndex(),
        fetch(part.chunkIndex()),
        encoded -> {
          ChunkCodec codec = array.codec(part.chunkIndex());
          long offset = region.imageOffset(dataType.itemSize());
          if (offset >= 0 && codec.decodesInPlace()) {
            codec.decodeInto(encoded, result, (int) offset);
            return true;
          }
          return scratch.use(
              memory -> {
                copy(codec.decode(encoded, memory), region, result);
                return true;
              });
        },
        () -> {
          if (!array.metadata().fillValue().isZero()) { // new memory is zero
            region.fillResult(result, array.metadata().fillValue());
          }
          return true;
        });
  }

  private Mono<Chunk> emit(ChunkProjection part, Scratch.Pool scratch) {
    Shape shape = part.selected().shape();
    return load(
            part.chunkIndex(),
            fetch(part.chunkIndex()),
            encoded -> {
              ChunkCodec codec = array.codec(part.chunkIndex());
              Region alone = part.region().alone();
              if (alone.imageOffset(dataType.itemSize()) == 0
                  && shape.equals(codec.representation().shape())) {
                return codec.decode(encoded);
              }
              return scratch.use(
                  memory -> {
                    byte[] result = new byte[shape.byteSize(dataType.itemSize())];
                    copy(codec.decode(encoded, memory), alone, result);
                    return NdArray.wrap(dataType, shape, Bytes.wrap(result));
                  });
            },
            () -> filled(shape))
        .map(data -> new Chunk(part.chunkIndex(), part.selected(), data));
  }

  private void copy(NdArray chunk, Region region, byte[] result) {
    Bytes elements = chunk.bytes();
    region.copyToResult(
        elements.unsafeArray(), elements.unsafeOffset(), result, dataType.itemSize());
  }

  private NdArray filled(Shape shape) {
    return NdArray.filled(shape, array.metadata().fillValue());
  }

  private Mono<Bytes> fetch(long[] index) {
    return array.store().get(array.key(index));
  }

  /**
   * Hops once to the codec scheduler for what is to be done with a chunk's stored bytes, or where
   * there are none.
   */
  <T> Mono<T> load(
      long[] index, Mono<Bytes> stored, Function<Bytes, T> decode, Supplier<T> missing) {
    return stored
        .publishOn(array.limits().codecScheduler())
        .map(encoded -> inMemory(() -> decode.apply(encoded)))
        .switchIfEmpty(Mono.fromSupplier(() -> inMemory(missing)))
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
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
