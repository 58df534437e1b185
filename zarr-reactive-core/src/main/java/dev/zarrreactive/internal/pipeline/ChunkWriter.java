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
    StoreKey key = array.key(index);
    ChunkCodec codec = array.codec(index);
    boolean whole =
        part.region().coversChunk(array.grid().chunkStart(index), array.metadata().shape());
    Mono<byte[]> before = whole ? Mono.empty() : oldElements(key, codec);
    Mono<Void> write =
        before
            .switchIfEmpty(Mono.fromSupplier(() -> fillElements(codec)))
            .publishOn(array.limits().codecScheduler())
            .flatMap(elements -> store(part, data, elements, codec))
            .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
    return KeyLocks.exclusively(array.store(), key, write);
  }

  private Mono<byte[]> oldElements(StoreKey key, ChunkCodec codec) {
    return array
        .store()
        .get(key)
        .publishOn(array.limits().codecScheduler())
        .map(encoded -> codec.decode(encoded).bytes().toByteArray());
  }

  private static byte[] fillElements(ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    byte[] elements = new byte[chunk.shape().byteSize(chunk.dataType().itemSize())];
    chunk.fillValue().fill(elements, 0, elements.length);
    return elements;
  }

  private Mono<Void> store(ChunkProjection part, NdArray data, byte[] elements, ChunkCodec codec) {
    ChunkRepresentation chunk = codec.representation();
    Bytes source = data.bytes();
    part.region()
        .copyToChunk(
            source.unsafeArray(), source.unsafeOffset(), elements, chunk.dataType().itemSize());
    Store store = array.store();
    StoreKey key = array.key(part.chunkIndex());
    if (!array.limits().writeEmptyChunks()
        && store.capabilities().contains(StoreCapability.ERASE)
        && chunk.fillValue().isAll(elements, 0, elements.length)) {
      return store.erase(key);
    }
    return store.set(
        key, codec.encode(NdArray.wrap(chunk.dataType(), chunk.shape(), Bytes.wrap(elements))));
  }
}
