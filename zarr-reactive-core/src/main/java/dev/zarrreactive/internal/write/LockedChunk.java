package dev.zarrreactive.internal.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.context.ArrayStorage;
import dev.zarrreactive.internal.context.ConditionalUpdate;
import dev.zarrreactive.internal.context.StoredChunkSize;
import dev.zarrreactive.internal.flow.KeyLocks;
import dev.zarrreactive.internal.planning.ChunkPlan;
import dev.zarrreactive.internal.planning.ChunkProjection;
import dev.zarrreactive.store.StoreCapability;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One chunk whose key no other writer of this process holds. A chunk that is new in part is read
 * first, and stored only if it is unchanged since. A chunk that holds only the fill value is erased
 * instead.
 */
final class LockedChunk {
  /** The part of the budget from which on a shard is stored while it is encoded. */
  private static final int LARGE = 8;

  private final ArrayStorage array;
  private final long[] index;
  private final StoreKey key;
  private final KeyLocks.Holder lock;

  private LockedChunk(ArrayStorage array, long[] index, StoreKey key, KeyLocks.Holder lock) {
    this.array = array;
    this.index = index;
    this.key = key;
    this.lock = lock;
  }

  /** Runs {@code work} while it holds the lock of the chunk's key. Errors tell the chunk. */
  static Mono<Void> hold(ArrayStorage array, long[] index, Function<LockedChunk, Mono<Void>> work) {
    return Mono.defer(
            () -> {
              StoreKey key = array.key(index);
              return KeyLocks.exclusively(
                  array.store(), key, lock -> work.apply(new LockedChunk(array, index, key, lock)));
            })
        .onErrorMap(ZarrException.class, e -> e.at(array.location(index)));
  }

  StoreKey key() {
    return key;
  }

  /** Sends a request that changes the value; caches invalidate it. */
  Mono<Void> send(Mono<Void> request) {
    return lock.store(array.context().change(key, request));
  }

  /** Returns an update that replaces the value unconditionally. */
  ConditionalUpdate unguarded() {
    return ConditionalUpdate.unguarded(array.requests(), key);
  }

  /** Runs {@code change}, and repeats it when another writer has changed the value meanwhile. */
  Mono<Void> attempt(Function<ConditionalUpdate, Mono<Void>> change) {
    return ConditionalUpdate.attempt(array.requests(), key, change);
  }

  /** Stores the new elements; those that are not new stay. */
  Mono<Void> write(NewElements elements) {
    return elements.isWhole(array.furthestShape()) ? replace(elements) : change(elements);
  }

  /**
   * Stores a part of a chunk that an append has won. A chunk that begins with the block is probably
   * missing: it is stored without a read, on condition that it is.
   */
  Mono<Void> append(NewElements elements) {
    if (elements.isWhole(SelectedElements.endless(array.grid().rank()))) {
      return replace(elements);
    }
    Mono<Void> change = change(elements);
    if (!elements.isWhole(array.metadata().shape())
        || !array.store().capabilities().contains(StoreCapability.CONDITIONAL_WRITE)) {
      return change;
    }
    ChunkCodec codec = array.codec(index);
    ConditionalUpdate target = ConditionalUpdate.ofMissing(array.requests(), key);
    return Mono.fromSupplier(() -> elements.among(null, codec))
        .filter(chunk -> !chunk.isAll(codec.representation().fillValue()))
        .map(
            chunk ->
                storeChunk(target, chunk, codec)
                    .onErrorResume(PreconditionFailedException.class, e -> change))
        .defaultIfEmpty(change)
        .flatMap(store -> store);
  }

  /** Stores a chunk that is new as a whole. */
  private Mono<Void> replace(NewElements elements) {
    ConditionalUpdate target = unguarded();
    return Mono.defer(() -> storeAmong(target, elements, array.codec(index), Optional.empty()));
  }

  /** Reads a chunk, and stores it with the new elements unless it has changed since. */
  private Mono<Void> change(NewElements elements) {
    ChunkCodec codec = array.codec(index);
    return attempt(
        target ->
            StoredChunkSize.read(array, codec, target)
                .publishOn(array.limits().codecScheduler())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(old -> storeAmong(target, elements, codec, old)));
  }

  /** Stores the new elements among the old ones. */
  private Mono<Void> storeAmong(
      ConditionalUpdate target, NewElements elements, ChunkCodec codec, Optional<Bytes> old) {
    ShardLayout layout = codec.shardLayout();
    if (layout == null) {
      return storeChunk(target, elements.among(old.orElse(null), codec), codec);
    }
    boolean isLarge = codec.representation().byteSize() >= array.limits().inFlightBytes() / LARGE;
    return storeShard(target, elements, layout, old, isLarge);
  }

  /**
   * Stores a shard in which the inner chunks with new elements are replaced. The others stay
   * encoded as they are. A large shard that has no others is stored while it is encoded.
   */
  private Mono<Void> storeShard(
      ConditionalUpdate target,
      NewElements shard,
      ShardLayout layout,
      Optional<Bytes> old,
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
      return store(
          target,
          ChunkEncoder.isEmpty(plan, elements),
          () -> target.set(encoder().pieces(layout, plan, elements)));
    }
    return encoder()
        .encode(parts, plan, elements)
        .then(Mono.defer(() -> store(target, parts.isEmpty(), () -> target.set(parts.joined()))));
  }

  /** Encodes and stores a chunk. */
  Mono<Void> storeChunk(ConditionalUpdate target, ElementMemory chunk, ChunkCodec codec) {
    NdArray all = chunk.toNdArray(codec.representation().shape());
    if (codec.shardLayout() != null) {
      ChunkProjection whole = ChunkPlan.ofChunk(array.grid(), index).iterator().next();
      NewElements elements = SelectedElements.of(whole, all, array.grid());
      return storeAmong(target, elements, codec, Optional.empty());
    }
    return erasesEmpty(array, target) && chunk.isAll(codec.representation().fillValue())
        ? store(target, true, Mono::empty)
        : ChunkEncoder.encode(codec, all)
            .flatMap(value -> store(target, false, () -> target.set(value)));
  }

  /** Stores a value, or erases it where it is empty. */
  private Mono<Void> store(ConditionalUpdate target, boolean isEmpty, Supplier<Mono<Void>> set) {
    return send(isEmpty && erasesEmpty(array, target) ? target.erase() : set.get());
  }

  /** Returns true if a chunk that holds only the fill value is erased. */
  static boolean erasesEmpty(ArrayStorage array, ConditionalUpdate target) {
    return !array.limits().writeEmptyChunks() && target.canErase();
  }

  private ChunkEncoder encoder() {
    return new ChunkEncoder(array.limits().codecScheduler());
  }
}
