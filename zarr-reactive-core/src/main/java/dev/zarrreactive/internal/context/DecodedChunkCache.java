package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.observation.Telling;
import dev.zarrreactive.store.CacheCounts;
import dev.zarrreactive.store.LookUp;
import dev.zarrreactive.store.StoreKey;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Decoded chunks in memory, up to a number of bytes. Missing chunks are not kept. What this process
 * writes is forgotten, and what was being fetched meanwhile is not kept. The store is asked about
 * entries of a certain age first, where the options say so.
 */
public final class DecodedChunkCache {
  /** What an entry takes besides its elements. */
  private static final long OVERHEAD = 256;

  private final boolean isKeeping;
  private final Telling telling;
  private final @Nullable Revalidation revalidation;
  private final LoadingCache<StoreKey, Id, Kept> cache;
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private final AtomicLong revalidations = new AtomicLong();

  /**
   * An empty cache.
   *
   * @param bytes the most bytes of chunks; 0 to keep none
   * @param revalidation asks about values; null where they are not asked about
   */
  DecodedChunkCache(
      long bytes, @Nullable Revalidation revalidation, Telling telling, Generations generations) {
    this.isKeeping = bytes > 0;
    this.revalidation = revalidation;
    this.telling = telling;
    this.cache =
        new LoadingCache<>(
            bytes, CachePolicy.of(Id::key, Kept::weight, UnaryOperator.identity()), generations);
  }

  /**
   * A chunk, or an inner chunk.
   *
   * @param key the key of the value that it is in
   * @param form the array's metadata, by which it was decoded
   * @param inner its number in its shard; 0 for a chunk that is a value
   */
  public record Id(StoreKey key, String form, long inner) {}

  private record Kept(NdArray chunk, long read) {
    long weight() {
      long size = chunk.bytes().size();
      return size + OVERHEAD;
    }
  }

  /** Returns what became of look-ups so far. */
  public CacheCounts counts() {
    return new CacheCounts(
        hits.get(),
        shared.get(),
        misses.get(),
        revalidations.get(),
        cache.evictions(),
        cache.size(),
        cache.weight());
  }

  /** Returns true where chunks are kept at all. */
  public boolean isKeeping() {
    return isKeeping;
  }

  /**
   * Returns the chunk where it is cached and need not be asked about.
   *
   * @param began when the operation began that wants it, in nanoseconds
   */
  public @Nullable NdArray find(Id id, long began) {
    Kept found = isKeeping ? cache.find(id) : null;
    if (found == null || isOld(id, found, began)) {
      return null;
    }
    return found.chunk();
  }

  /** Counts a chunk that was cached. */
  public void countHit() {
    hits.incrementAndGet();
    telling.lookUp(Telling.CHUNKS, LookUp.HIT);
  }

  private boolean isOld(Id id, Kept found, long began) {
    return revalidation != null && !revalidation.isYoung(id.key(), found.read(), began);
  }

  /** Returns true where the chunk is cached, so that it helps to ask about it. */
  public boolean isRevalidated(Id id) {
    return revalidation != null && revalidation.isPossible() && cache.find(id) != null;
  }

  /** Asks the store whether the value that the chunk is in has changed. */
  public Mono<Boolean> isUnchanged(Id id) {
    return Objects.requireNonNull(revalidation)
        .isUnchanged(id.key())
        .onErrorReturn(false); // then the load fails, or helps
  }

  /** Returns the chunk that the store has just said to be unchanged; null where it is not here. */
  public @Nullable NdArray revalidatedChunk(Id id) {
    Kept found = cache.find(id);
    if (found == null) {
      return null;
    }
    revalidations.incrementAndGet();
    telling.lookUp(Telling.CHUNKS, LookUp.REVALIDATION);
    return found.chunk();
  }

  /** Counts a chunk that is fetched by another operation. */
  public void countShared() {
    shared.incrementAndGet();
    telling.lookUp(Telling.CHUNKS, LookUp.SHARED);
  }

  /** Counts a chunk that is to be fetched. */
  public void countMiss() {
    if (isKeeping) {
      misses.incrementAndGet();
      telling.lookUp(Telling.CHUNKS, LookUp.MISS);
    }
  }

  /**
   * Keeps a chunk.
   *
   * @param asked when its bytes were asked for, in nanoseconds
   * @param generation of the value then
   */
  public void put(Id id, NdArray chunk, long asked, long generation) {
    cache.put(id, new Kept(chunk, asked), generation);
  }

  void forget(StoreKey key) {
    cache.removeGroup(key);
  }

  void forget(Predicate<StoreKey> keys) {
    cache.removeGroups(keys);
  }
}
