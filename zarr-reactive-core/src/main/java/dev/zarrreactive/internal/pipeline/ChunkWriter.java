package dev.zarrreactive.internal.pipeline;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes chunks: one that is covered whole is encoded and set without a read; of any other the rest
 * is read first. A chunk that is all fill value is erased instead. One writer at a time for each
 * key.
 */
public final class ChunkWriter {
  private final ArrayStorage array;

  /** A writer of the chunks of {@code array}. */
  public ChunkWriter(ArrayStorage array) {
    this.array = array;
  }

  /** Writes {@code data}, whose shape is the selection's. */
  public Mono<Void> write(ResolvedSelection selection, NdArray data) {
    return write(selection, data, array.concurrency());
  }

  /** Writes chunks as they arrive; they need not be chunks of this array's grid. */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return Flux.from(chunks)
        .flatMap(chunk -> write(chunk.selection(), chunk.data(), 1), array.concurrency(), 1)
        .then();
  }

  private Mono<Void> write(ResolvedSelection selection, NdArray data, int concurrency) {
    return Mono.defer(
        () -> {
          array.checkWritable();
          checkData(selection, data);
          return Flux.fromIterable(ChunkPlan.of(selection, array.grid()))
              .flatMap(part -> writeChunk(part, data), concurrency, 1)
              .then();
        });
  }

  /** Checks that {@code data} is what the selection of this array takes. */
  public void checkData(ResolvedSelection selection, NdArray data) {
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
              Mono<Bytes> before = isWhole(part) ? Mono.empty() : array.store().get(key);
              return KeyLocks.exclusively(
                  array.store(),
                  key,
                  turn ->
                      before
                          .publishOn(array.limits().codecScheduler())
                          .map(encoded -> oldElements(encoded, codec))
                          .switchIfEmpty(Mono.fromSupplier(() -> fillElements(codec)))
                          .map(elements -> changed(elements, part, data))
                          .flatMap(elements -> turn.store(store(key, elements, codec))));
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  private boolean isWhole(ChunkProjection part) {
    return part.region()
        .coversChunk(array.grid().chunkStart(part.chunkIndex()), array.metadata().shape());
  }

  private static byte[] oldElements(Bytes encoded, ChunkCodec codec) {
    return codec.decode(encoded).bytes().toByteArray();
  }

  private static byte[] fillElements(ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    byte[] elements = new byte[chunk.shape().byteSize(chunk.dataType().itemSize())];
    chunk.fillValue().fill(elements, 0, elements.length);
    return elements;
  }

  private static byte[] changed(byte[] elements, ChunkProjection part, NdArray data) {
    Bytes source = data.bytes();
    part.region()
        .copyToChunk(
            source.unsafeArray(), source.unsafeOffset(), elements, data.dataType().itemSize());
    return elements;
  }

  private Mono<Void> store(StoreKey key, byte[] elements, ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    Store store = array.store();
    if (!array.limits().writeEmptyChunks()
        && store.capabilities().contains(StoreCapability.ERASE)
        && chunk.fillValue().isAll(elements, 0, elements.length)) {
      return store.erase(key);
    }
    return store.set(
        key, codec.encode(NdArray.wrap(chunk.dataType(), chunk.shape(), Bytes.wrap(elements))));
  }
}
