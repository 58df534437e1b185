package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.StoreKey;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes chunks: one that is covered whole is encoded and set without a read; of any other the rest
 * is read first, and it is stored only where nobody else has changed it since. A chunk that is all
 * fill value is erased instead. One writer at a time for each key.
 */
public final class ChunkWriter {
  private final ArrayStorage array;

  /** A writer of the chunks of {@code array}. */
  public ChunkWriter(ArrayStorage array) {
    this.array = array;
  }

  /** Writes {@code data}, whose shape is the selection's. */
  public Mono<Void> write(ResolvedSelection selection, NdArray data) {
    return completed(write(selection, data, array.writeConcurrency()));
  }

  /** Writes chunks as they arrive; they need not be chunks of this array's grid. */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return completed(
        Mono.defer(
            () -> {
              array.checks().writable();
              return Concurrently.map(
                      chunks,
                      array.writeConcurrency(),
                      chunk -> write(chunk.selection(), chunk.data(), 1))
                  .then();
            }));
  }

  /** Stores the bytes of one chunk as they are. */
  public Mono<Void> writeEncodedChunk(Bytes encoded, long... index) {
    array.grid().checkIndex(index);
    return completed(
        Mono.defer(
                () -> {
                  array.checks().storeWritable();
                  StoreKey key = array.key(index);
                  return KeyLocks.exclusively(
                      array.store(),
                      key,
                      turn -> turn.store(changing(key, array.requests().set(key, encoded))));
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(index))));
  }

  /** The last answer of the store came on a thread of the store's, which is not to be kept. */
  private Mono<Void> completed(Mono<Void> write) {
    return write.publishOn(array.limits().codecScheduler()).contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> write(ResolvedSelection selection, NdArray data, int concurrency) {
    return Mono.defer(
        () -> {
          array.checks().writable();
          checkData(selection, data);
          return Concurrently.map(
                  Flux.fromIterable(ChunkPlan.of(selection, array.grid())),
                  concurrency,
                  part -> writeChunk(part, data))
              .then();
        });
  }

  /**
   * Checks that {@code data} is what the selection takes, and that the selection is of this array.
   */
  public void checkData(ResolvedSelection selection, NdArray data) {
    if (!selection.isWithin(array.metadata().shape())) {
      throw new IllegalArgumentException(
          "the selection "
              + selection
              + " is not of the array "
              + array.path()
              + " of shape "
              + array.metadata().shape());
    }
    if (!data.dataType().equals(array.metadata().dataType())
        || !data.shape().equals(selection.shape())) {
      throw new IllegalArgumentException(
          "data of "
              + data.dataType()
              + " and shape "
              + data.shape()
              + " for a selection of "
              + array.metadata().dataType()
              + " and shape "
              + selection.shape());
    }
  }

  private Mono<Void> writeChunk(ChunkProjection part, NdArray data) {
    long[] index = part.chunkIndex();
    return Mono.defer(
            () -> {
              StoreKey key = array.key(index);
              ChunkCodec codec = array.codec(index);
              return KeyLocks.exclusively(
                  array.store(),
                  key,
                  turn ->
                      isWhole(part)
                          ? writeWhole(part, data, key, codec, turn)
                          : writePart(part, data, key, codec, turn));
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  private Mono<Void> writeWhole(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    ConditionalUpdate target = ConditionalUpdate.unguarded(array.requests(), key);
    return change(part, data, Mono.empty(), codec)
        .flatMap(chunk -> turn.store(changing(key, store(target, chunk, codec))));
  }

  private Mono<Void> writePart(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    return ConditionalUpdate.attempt(
        array.requests(),
        key,
        target ->
            change(part, data, target.read(codec), codec)
                .flatMap(chunk -> turn.store(changing(key, store(target, chunk, codec)))));
  }

  /** The elements of a chunk, from its stored bytes or fill value, with the new ones among them. */
  private Mono<ElementMemory> change(
      ChunkProjection part, NdArray data, Mono<Bytes> before, ChunkCodec codec) {
    return before
        .publishOn(array.limits().codecScheduler())
        .map(encoded -> inMemory(codec, () -> changed(oldElements(encoded, codec), part, data)))
        .switchIfEmpty(
            Mono.fromSupplier(
                () -> inMemory(codec, () -> changed(fillElements(codec), part, data))))
        .onErrorMap(ZarrException.class, e -> e.at(array.location(part.chunkIndex())));
  }

  private static ElementMemory inMemory(ChunkCodec codec, Supplier<ElementMemory> work) {
    return MemoryGuard.allocating(
        "of a chunk", codec.representation().byteSize(), Location.UNKNOWN, work);
  }

  /** What is known of a value is forgotten when it changes. */
  private Mono<Void> changing(StoreKey key, Mono<Void> request) {
    return array.context().changing(key, request);
  }

  private boolean isWhole(ChunkProjection part) {
    return part.region()
        .coversChunk(array.grid().chunkStart(part.chunkIndex()), array.metadata().shape());
  }

  private static ElementMemory oldElements(Bytes encoded, ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    ElementMemory elements = ElementMemory.allocate(chunk.dataType(), chunk.shape());
    codec.decodeInto(encoded, elements, 0);
    return elements;
  }

  private static ElementMemory fillElements(ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    return ElementMemory.filled(chunk.shape(), chunk.fillValue());
  }

  private static ElementMemory changed(ElementMemory elements, ChunkProjection part, NdArray data) {
    part.region().copyToChunk(ElementMemory.of(data), elements);
    return elements;
  }

  private Mono<Void> store(ConditionalUpdate target, ElementMemory elements, ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    if (!array.limits().writeEmptyChunks()
        && target.canErase()
        && elements.isAll(chunk.fillValue())) {
      return target.erase();
    }
    return target.set(
        MemoryGuard.allocating(
            "to encode a chunk",
            chunk.byteSize(),
            Location.UNKNOWN,
            () -> codec.encode(elements.toNdArray(chunk.shape()))));
  }
}
