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
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.RequestLimit;
import dev.zarrreactive.store.StoreKey;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The write line: the plan of a selection; for each chunk its key locked and its bytes leased; the
 * elements gathered, of which others are read where the selection does not cover the chunk; encoded
 * on the codec threads; stored, on condition that no other program has changed what was read. A
 * chunk that is all fill value is erased instead.
 */
public final class ChunkWriter {
  private final ArrayStorage array;
  private final Scheduler codecScheduler;
  private final ChunkEncoder encoder;

  /** A writer of the chunks of {@code array}. */
  public ChunkWriter(ArrayStorage array) {
    this.array = array;
    this.codecScheduler = array.limits().codecScheduler();
    this.encoder = new ChunkEncoder(codecScheduler);
  }

  /** Writes {@code data}, whose shape is the selection's. */
  public Mono<Void> write(ResolvedSelection selection, NdArray data) {
    return completed(Mono.defer(() -> write(selection, data, array.writeConcurrency(), share())));
  }

  /** Writes chunks as they arrive; they need not be chunks of this array's grid. */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return completed(
        Mono.defer(
            () -> {
              array.checks().writable();
              ByteBudget.Share share = share();
              return Concurrently.map(
                      chunks,
                      array.writeConcurrency(),
                      chunk -> write(chunk.selection(), chunk.data(), 1, share))
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
                      turn ->
                          turn.store(
                              array.context().changing(key, array.requests().set(key, encoded))));
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(index))));
  }

  /** The part of the budget that one operation holds. */
  private ByteBudget.Share share() {
    return array.context().budget().share();
  }

  /** The last answer of the store came on a thread of the store's, which is not to be kept. */
  private Mono<Void> completed(Mono<Void> write) {
    return write.publishOn(codecScheduler).contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> write(
      ResolvedSelection selection, NdArray data, int concurrency, ByteBudget.Share share) {
    return Mono.defer(
        () -> {
          array.checks().writable();
          checkData(selection, data);
          return Concurrently.map(
                  Flux.fromIterable(ChunkPlan.of(selection, array.grid())),
                  concurrency,
                  part -> writeChunk(part, data, share))
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

  private Mono<Void> writeChunk(ChunkProjection part, NdArray data, ByteBudget.Share share) {
    long[] index = part.chunkIndex();
    return Mono.defer(
            () -> {
              StoreKey key = array.key(index);
              ChunkCodec codec = array.codec(index);
              return KeyLocks.exclusively(
                  array.store(),
                  key,
                  turn -> leased(share, codec, gathered(part, data, key, codec, turn)));
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /**
   * Leases the bytes of a chunk, decoded and encoded, with its key locked: a writer that holds
   * bytes waits for the store alone.
   */
  private Mono<Void> leased(ByteBudget.Share share, ChunkCodec codec, Mono<Void> write) {
    return Mono.defer(
        () -> {
          long decoded = codec.representation().byteSize();
          ByteBudget.Lease lease =
              share.lease(ByteBudget.sum(decoded, ByteBudget.expected(decoded)));
          return lease
              .granted()
              .publishOn(codecScheduler)
              .then(write)
              .doOnTerminate(lease::end)
              .doOnCancel(lease::end);
        });
  }

  /** Gathers the elements of a chunk, of which others may have to be read, and stores it. */
  private Mono<Void> gathered(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    if (isWhole(part)) {
      ConditionalUpdate target = ConditionalUpdate.unguarded(array.requests(), key);
      return Mono.fromSupplier(() -> gathered(part, data, codec, null))
          .flatMap(chunk -> stored(target, chunk, key, codec, turn));
    }
    return ConditionalUpdate.attempt(
        array.requests(),
        key,
        target ->
            target
                .read(codec)
                .publishOn(codecScheduler)
                .map(encoded -> gathered(part, data, codec, encoded))
                .switchIfEmpty(Mono.fromSupplier(() -> gathered(part, data, codec, null)))
                .flatMap(chunk -> stored(target, chunk, key, codec, turn)));
  }

  private boolean isWhole(ChunkProjection part) {
    return part.region()
        .coversChunk(array.grid().chunkStart(part.chunkIndex()), array.metadata().shape());
  }

  /** The elements before, or fill value where there are none, with the new ones among them. */
  private static ElementMemory gathered(
      ChunkProjection part, NdArray data, ChunkCodec codec, @Nullable Bytes before) {
    ChunkRepresentation chunk = codec.representation();
    return MemoryGuard.allocating(
        "of a chunk",
        chunk.byteSize(),
        Location.UNKNOWN,
        () -> {
          ElementMemory elements;
          if (before == null) {
            elements = ElementMemory.filled(chunk.shape(), chunk.fillValue());
          } else {
            elements = ElementMemory.allocate(chunk.dataType(), chunk.shape());
            codec.decodeInto(before, elements, 0);
          }
          part.region().copyToChunk(ElementMemory.of(data), elements);
          return elements;
        });
  }

  /** Encodes a chunk and stores it; what is cached of the value is forgotten. */
  private Mono<Void> stored(
      ConditionalUpdate target,
      ElementMemory elements,
      StoreKey key,
      ChunkCodec codec,
      KeyLocks.Holder turn) {
    ChunkRepresentation chunk = codec.representation();
    if (!array.limits().writeEmptyChunks()
        && target.canErase()
        && elements.isAll(chunk.fillValue())) {
      return turn.store(array.context().changing(key, target.erase()));
    }
    return encoder
        .encoded(codec, elements.toNdArray(chunk.shape()))
        .flatMap(value -> turn.store(array.context().changing(key, target.set(value))));
  }
}
