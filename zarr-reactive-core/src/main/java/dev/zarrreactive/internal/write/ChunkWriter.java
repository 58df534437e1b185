package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.decorator.RequestLimit;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The write line. It plans the chunks of a selection; for each chunk it locks the key, leases the
 * bytes, gathers the elements, encodes them on the codec threads and stores them. A chunk that the
 * selection covers in part is read first, and stored only if it is unchanged since. A chunk that
 * holds only the fill value is erased instead.
 */
public final class ChunkWriter {
  /** The part of the budget from which on a shard is stored while it is encoded. */
  private static final int LARGE = 8;

  private final ArrayStorage array;
  private final Scheduler codecScheduler;
  private final ChunkEncoder encoder;

  /** Creates a writer of the chunks of {@code array}. */
  public ChunkWriter(ArrayStorage array) {
    this.array = array;
    this.codecScheduler = array.limits().codecScheduler();
    this.encoder = new ChunkEncoder(codecScheduler);
  }

  /** Writes {@code data}, broadcast to the shape of the selection. */
  public Mono<Void> write(ResolvedSelection selection, NdArray data) {
    return completed(Mono.defer(() -> write(selection, data, array.writeConcurrency(), share())));
  }

  /**
   * Writes a block to the place by which the array has grown for it. Another append may have a
   * place in the same chunk, beyond the end of this shape: chunks are unguarded only if the block
   * covers all of them.
   */
  Mono<Void> append(ResolvedSelection place, NdArray block) {
    return completed(
        Mono.defer(
            () -> {
              ByteBudget.Share share = share();
              return Concurrently.map(
                      Flux.fromIterable(ChunkPlan.of(place, array.grid())),
                      array.writeConcurrency(),
                      part -> writeChunk(part, block, share, true))
                  .then();
            }));
  }

  /** Writes chunks as they arrive, each to its selection. The chunks may belong to another grid. */
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

  /** Writes blocks that follow one another along the first dimension of the selection. */
  public Mono<Void> write(ResolvedSelection selection, Publisher<NdArray> blocks) {
    return completed(new BlockWriter(array, this, selection).write(blocks));
  }

  /** Writes a band of a selection. */
  Mono<Void> write(ResolvedSelection band, NdArray data, ByteBudget.Share share) {
    return write(band, data, array.writeConcurrency(), share);
  }

  /** Stores the encoded bytes of one chunk unchecked. */
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

  /** Returns a share of the budget, for one operation. */
  ByteBudget.Share share() {
    return array.context().budget().share();
  }

  /** Completes on a codec thread, so that the subscriber does not occupy a thread of the store. */
  Mono<Void> completed(Mono<Void> write) {
    return write.publishOn(codecScheduler).contextWrite(RequestLimit::asOperation);
  }

  private Mono<Void> write(
      ResolvedSelection selection, NdArray data, int concurrency, ByteBudget.Share share) {
    return Mono.defer(
        () -> {
          array.checks().writable();
          NdArray fitted = fitted(selection, data);
          return Concurrently.map(
                  Flux.fromIterable(ChunkPlan.of(selection, array.grid())),
                  concurrency,
                  part -> writeChunk(part, fitted, share, false))
              .then();
        });
  }

  /**
   * Returns {@code data} in the shape of the selection, broadcast if it has another.
   *
   * @throws IllegalArgumentException if the selection was resolved for another array's shape, or
   *     the data have another data type or cannot be broadcast
   */
  public NdArray fitted(ResolvedSelection selection, NdArray data) {
    if (!selection.isWithin(array.metadata().shape())) {
      throw new IllegalArgumentException(
          "the selection "
              + selection
              + " is not of the array "
              + array.path()
              + " of shape "
              + array.metadata().shape());
    }
    Shape shape = selection.shape();
    if (!data.dataType().equals(array.metadata().dataType()) || !data.canBroadcastTo(shape)) {
      throw new IllegalArgumentException(
          "data of "
              + data.dataType()
              + " and shape "
              + data.shape()
              + " for a selection of "
              + array.metadata().dataType()
              + " and shape "
              + shape);
    }
    return data.broadcastTo(shape);
  }

  private Mono<Void> writeChunk(
      ChunkProjection part, NdArray data, ByteBudget.Share share, boolean isAppended) {
    long[] index = part.chunkIndex();
    return Mono.defer(
            () -> {
              StoreKey key = array.key(index);
              ChunkCodec codec = array.codec(index);
              return KeyLocks.exclusively(
                  array.store(),
                  key,
                  turn -> {
                    Mono<Void> write =
                        isAppended
                            ? appended(part, data, key, codec, turn)
                            : isWhole(part, array.furthestShape())
                                ? replaced(part, data, key, codec, turn)
                                : changed(part, data, key, codec, turn);
                    int copies = data.isContiguous() ? 1 : 2;
                    return leased(share, codec, copies, write);
                  });
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /**
   * Leases the bytes of a chunk, decoded and encoded, after its key is locked, so that a writer
   * that holds a lease waits for the store alone.
   *
   * @param copies the number of decoded copies of the chunk in memory: a view needs a second one
   */
  Mono<Void> leased(ByteBudget.Share share, ChunkCodec codec, int copies, Mono<Void> write) {
    return Mono.defer(
        () -> {
          long decoded = codec.representation().byteSize();
          ByteBudget.Lease lease =
              share.lease(
                  ByteBudget.sum(
                      ByteBudget.product(copies, decoded), ByteBudget.expected(decoded)));
          return lease
              .granted()
              .publishOn(codecScheduler)
              .then(write)
              .doOnTerminate(lease::end)
              .doOnCancel(lease::end);
        });
  }

  /** Stores a chunk that the data cover. */
  private Mono<Void> replaced(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    ConditionalUpdate target = ConditionalUpdate.unguarded(array.requests(), key);
    return codec.shardLayout() == null
        ? Mono.fromSupplier(() -> ChunkElements.gathered(part, data, codec, null))
            .flatMap(chunk -> stored(target, chunk, key, codec, turn))
        : Mono.defer(() -> stored(target, part, data, codec, Optional.empty(), key, turn));
  }

  /**
   * Stores a part of a chunk that an append has won. A chunk that begins with the block is probably
   * missing: it is stored without a read, on condition that it is.
   */
  private Mono<Void> appended(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    if (isWhole(part, endless())) {
      return replaced(part, data, key, codec, turn);
    }
    Mono<Void> changed = changed(part, data, key, codec, turn);
    if (!isWhole(part, array.metadata().shape())
        || !array.store().capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return changed;
    }
    ConditionalUpdate target = ConditionalUpdate.ofMissing(array.requests(), key);
    return Mono.fromSupplier(() -> ChunkElements.gathered(part, data, codec, null))
        .filter(chunk -> !chunk.isAll(codec.representation().fillValue()))
        .map(
            chunk ->
                stored(target, chunk, key, codec, turn)
                    .onErrorResume(PreconditionFailedException.class, e -> changed))
        .defaultIfEmpty(changed)
        .flatMap(store -> store);
  }

  /** Reads a chunk, and stores it with the new elements unless it has changed since. */
  private Mono<Void> changed(
      ChunkProjection part, NdArray data, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    return ConditionalUpdate.attempt(
        array.requests(),
        key,
        target ->
            StoredChunkSize.read(codec, target::read)
                .publishOn(codecScheduler)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(
                    old ->
                        codec.shardLayout() == null
                            ? stored(
                                target,
                                ChunkElements.gathered(part, data, codec, old.orElse(null)),
                                key,
                                codec,
                                turn)
                            : stored(target, part, data, codec, old, key, turn)));
  }

  /**
   * Stores a shard in which the inner chunks of {@code part} are replaced. The others stay encoded
   * as they are. A large shard that has no others is stored while it is encoded.
   */
  private Mono<Void> stored(
      ConditionalUpdate target,
      ChunkProjection part,
      NdArray data,
      ChunkCodec codec,
      Optional<Bytes> old,
      StoreKey key,
      KeyLocks.Holder turn) {
    ShardLayout layout = Objects.requireNonNull(codec.shardLayout());
    ShardParts parts =
        old.map(shard -> ShardParts.of(layout, shard)).orElseGet(() -> ShardParts.missing(layout));
    long[] start = array.grid().chunkStart(part.chunkIndex());
    ChunkPlan plan = ChunkPlan.inside(part, start, layout.innerGrid());
    ChunkCodec inner = layout.innerCodec();
    Function<ChunkProjection, @Nullable ElementMemory> elements =
        changed -> {
          boolean isCovered = changed.region().coversChunk(new long[start.length], endless());
          Bytes before = isCovered ? null : parts.get(changed.chunkIndex());
          ElementMemory chunk = ChunkElements.gathered(changed, data, inner, before);
          return chunk.isAll(inner.representation().fillValue()) ? null : chunk;
        };
    if (old.isEmpty() && isLarge(codec) && ShardPlaces.canStream(layout)) {
      return stored(
          target,
          key,
          turn,
          ChunkEncoder.isEmpty(plan, elements),
          () -> target.set(encoder.pieces(layout, plan, elements)));
    }
    return encoder
        .encoded(parts, plan, elements)
        .then(
            Mono.defer(
                () ->
                    stored(target, key, turn, parts.isEmpty(), () -> target.set(parts.joined()))));
  }

  /** Stores a value, or erases it where it is empty; caches invalidate it. */
  private Mono<Void> stored(
      ConditionalUpdate target,
      StoreKey key,
      KeyLocks.Holder turn,
      boolean isEmpty,
      Supplier<Mono<Void>> set) {
    boolean erases = isEmpty && !array.limits().writeEmptyChunks() && target.canErase();
    return turn.store(array.context().changing(key, erases ? target.erase() : set.get()));
  }

  private Shape endless() {
    long[] endless = new long[array.grid().rank()];
    Arrays.fill(endless, Long.MAX_VALUE);
    return Shape.of(endless);
  }

  /** Returns true if every element of the chunk inside of {@code shape} is written. */
  private boolean isWhole(ChunkProjection part, Shape shape) {
    return part.region().coversChunk(array.grid().chunkStart(part.chunkIndex()), shape);
  }

  /** Returns true for a shard that is stored while it is encoded. */
  private boolean isLarge(ChunkCodec codec) {
    return codec.representation().byteSize() >= array.limits().inFlightBytes() / LARGE;
  }

  /** Encodes and stores a chunk. */
  Mono<Void> stored(
      ConditionalUpdate target,
      ElementMemory elements,
      StoreKey key,
      ChunkCodec codec,
      KeyLocks.Holder turn) {
    ChunkRepresentation chunk = codec.representation();
    return target.canErase()
            && !array.limits().writeEmptyChunks()
            && elements.isAll(chunk.fillValue())
        ? stored(target, key, turn, true, Mono::empty)
        : encoder
            .encoded(codec, elements.toNdArray(chunk.shape()))
            .flatMap(value -> stored(target, key, turn, false, () -> target.set(value)));
  }
}
