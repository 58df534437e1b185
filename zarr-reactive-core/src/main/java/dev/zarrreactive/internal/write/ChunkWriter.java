package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.OperationMark;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.StoreCapability;
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
  /** The part of the budget that may be gathered, with the chunks that are written of it. */
  static final int GATHERED = 4;

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
                      part -> written(selected(part, block), share, true))
                  .then();
            }));
  }

  /** Writes chunks of any chunk grid, which are gathered to those of the array. */
  public Mono<Void> write(Publisher<Chunk> chunks) {
    return completed(new ChunkGatherer(array, this).write(chunks));
  }

  /** Writes blocks that follow one another along the first dimension of the selection. */
  public Mono<Void> write(ResolvedSelection selection, Publisher<NdArray> blocks) {
    return completed(new BlockWriter(array, this, selection).write(blocks));
  }

  /**
   * Writes one shard from parts of whole inner chunks.
   *
   * @throws dev.zarrreactive.error.UnsupportedFeatureException for a chunk that is no such shard
   */
  public Mono<Void> writeShard(Publisher<Chunk> parts, long... index) {
    array.grid().checkIndex(index);
    return completed(
        new ShardWriter(array, this, index.clone())
            .write(parts)
            .onErrorMap(ZarrException.class, e -> e.at(array.location(index))));
  }

  /** Writes a band of a selection. */
  Mono<Void> write(ResolvedSelection band, NdArray data, ByteBudget.Share share) {
    return write(band, data, array.writeConcurrency(), share);
  }

  /** Writes the new elements of one chunk. */
  Mono<Void> write(NewElements chunk, ByteBudget.Share share) {
    return written(chunk, share, false);
  }

  /** Stores the encoded bytes of one chunk unchecked. */
  public Mono<Void> writeEncodedChunk(Bytes encoded, long... index) {
    return encodedChunk(key -> array.requests().set(key, encoded), index);
  }

  /** Stores the encoded bytes of one chunk, which arrive in pieces. */
  public Mono<Void> writeEncodedChunk(Publisher<Bytes> pieces, long... index) {
    return encodedChunk(key -> array.requests().set(key, pieces, Precondition.NONE), index);
  }

  private Mono<Void> encodedChunk(Function<StoreKey, Mono<Void>> set, long... index) {
    array.grid().checkIndex(index);
    return completed(
        Mono.defer(
                () -> {
                  array.checks().storeWritable();
                  StoreKey key = array.key(index);
                  return KeyLocks.exclusively(
                      array.store(),
                      key,
                      turn -> turn.store(array.context().changing(key, set.apply(key))));
                })
            .onErrorMap(ZarrException.class, e -> e.at(array.location(index))));
  }

  /** Returns a share of the budget, for one operation. */
  ByteBudget.Share share() {
    return array.context().budget().share();
  }

  /** Returns the bytes that may be gathered beside a chunk of {@code decoded} bytes in writing. */
  long bytesToGather(long decoded) {
    long room = array.context().budget().total() - leaseOf(decoded, 2);
    return Math.max(0, Math.min(array.limits().inFlightBytes() / GATHERED, room));
  }

  /**
   * Leases bytes for what is gathered, until the operation ends. Beside all that streams gather, a
   * chunk of {@code decoded} bytes can be written.
   */
  static Mono<Void> gathering(ByteBudget.Share share, long bytes, long decoded) {
    return share.lastingLease(bytes, leaseOf(decoded, 2)).granted();
  }

  /** Returns the bytes of a chunk in writing, {@code copies} times decoded and once encoded. */
  private static long leaseOf(long decoded, int copies) {
    return ByteBudget.sum(ByteBudget.product(copies, decoded), ByteBudget.expected(decoded));
  }

  /** Completes on a codec thread, so that the subscriber does not occupy a thread of the store. */
  Mono<Void> completed(Mono<Void> write) {
    return write.publishOn(codecScheduler).contextWrite(OperationMark::add);
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
                  part -> written(selected(part, fitted), share, false))
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

  private NewElements selected(ChunkProjection part, NdArray data) {
    return new SelectedElements(part, data, array.grid().chunkStart(part.chunkIndex()));
  }

  private Mono<Void> written(NewElements chunk, ByteBudget.Share share, boolean isAppended) {
    long[] index = chunk.chunkIndex();
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
                            ? appended(chunk, key, codec, turn)
                            : chunk.isWhole(array.furthestShape())
                                ? replaced(chunk, key, codec, turn)
                                : changed(chunk, key, codec, turn);
                    return leased(share, codec, chunk.copies(), write);
                  });
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  /**
   * Leases the bytes of a chunk, decoded and encoded, after its key is locked, so that a writer
   * that holds a lease waits for the store alone.
   *
   * @param copies the number of decoded copies of the chunk in memory
   */
  Mono<Void> leased(ByteBudget.Share share, ChunkCodec codec, int copies, Mono<Void> write) {
    return Mono.defer(
        () -> {
          ByteBudget.Lease lease = share.lease(leaseOf(codec.representation().byteSize(), copies));
          return lease
              .granted()
              .publishOn(codecScheduler)
              .then(write)
              .doOnTerminate(lease::end)
              .doOnCancel(lease::end);
        });
  }

  /** Stores a chunk that is new as a whole. */
  private Mono<Void> replaced(
      NewElements chunk, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    ConditionalUpdate target = ConditionalUpdate.unguarded(array.requests(), key);
    return Mono.defer(() -> stored(target, chunk, codec, Optional.empty(), key, turn));
  }

  /**
   * Stores a part of a chunk that an append has won. A chunk that begins with the block is probably
   * missing: it is stored without a read, on condition that it is.
   */
  private Mono<Void> appended(
      NewElements chunk, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    if (chunk.isWhole(SelectedElements.endless(array.grid().rank()))) {
      return replaced(chunk, key, codec, turn);
    }
    Mono<Void> changed = changed(chunk, key, codec, turn);
    if (!chunk.isWhole(array.metadata().shape())
        || !array.store().capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return changed;
    }
    ConditionalUpdate target = ConditionalUpdate.ofMissing(array.requests(), key);
    return Mono.fromSupplier(() -> chunk.among(null, codec))
        .filter(elements -> !elements.isAll(codec.representation().fillValue()))
        .map(
            elements ->
                stored(target, elements, key, codec, turn)
                    .onErrorResume(PreconditionFailedException.class, e -> changed))
        .defaultIfEmpty(changed)
        .flatMap(store -> store);
  }

  /** Reads a chunk, and stores it with the new elements unless it has changed since. */
  private Mono<Void> changed(
      NewElements chunk, StoreKey key, ChunkCodec codec, KeyLocks.Holder turn) {
    return ConditionalUpdate.attempt(
        array.requests(),
        key,
        target ->
            StoredChunkSize.read(array, codec, target)
                .publishOn(codecScheduler)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(old -> stored(target, chunk, codec, old, key, turn)));
  }

  /** Stores the new elements among the old ones. */
  private Mono<Void> stored(
      ConditionalUpdate target,
      NewElements chunk,
      ChunkCodec codec,
      Optional<Bytes> old,
      StoreKey key,
      KeyLocks.Holder turn) {
    ShardLayout layout = codec.shardLayout();
    return layout == null
        ? stored(target, chunk.among(old.orElse(null), codec), key, codec, turn)
        : stored(target, chunk, layout, old, key, turn, isLarge(codec));
  }

  /**
   * Stores a shard in which the inner chunks with new elements are replaced. The others stay
   * encoded as they are. A large shard that has no others is stored while it is encoded.
   */
  private Mono<Void> stored(
      ConditionalUpdate target,
      NewElements shard,
      ShardLayout layout,
      Optional<Bytes> old,
      StoreKey key,
      KeyLocks.Holder turn,
      boolean isLarge) {
    ShardParts parts =
        old.map(stored -> ShardParts.of(layout, stored))
            .orElseGet(() -> ShardParts.missing(layout));
    ChunkPlan plan = shard.inner(layout);
    ChunkCodec codec = layout.innerCodec();
    Function<ChunkProjection, @Nullable ElementMemory> elements =
        inner -> {
          Bytes before = shard.isWhole(inner) ? null : parts.get(inner.chunkIndex());
          ElementMemory chunk = shard.among(before, inner, codec);
          return chunk.isAll(codec.representation().fillValue()) ? null : chunk;
        };
    if (old.isEmpty() && isLarge && ShardPlaces.canStream(layout)) {
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
