package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.store.decorator.CacheCounts;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A cache of decoded chunks, bounded by their bytes. Missing chunks are not cached. A write of this
 * process evicts the chunks of the value, and a fetch that it overtakes is not cached. Entries of a
 * certain age are revalidated first if the options say so.
 */
public final class DecodedChunkCache {
  /** The bytes of an entry besides its elements. */
  private static final long OVERHEAD = 256;

  private final boolean isKeeping;
  private final Instrumentation instrumentation;
  private final @Nullable Revalidation revalidation;
  private final LoadingCache<StoreKey, Id, Kept> cache;
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private final AtomicLong revalidations = new AtomicLong();

  /**
   * Creates an empty cache.
   *
   * @param bytes the most bytes of chunks; 0 to disable the cache
   * @param revalidation asks the store about values; null to trust entries of any age
   */
  DecodedChunkCache(
      long bytes,
      @Nullable Revalidation revalidation,
      Instrumentation instrumentation,
      Generations generations) {
    this.isKeeping = bytes > 0;
    this.revalidation = revalidation;
    this.instrumentation = instrumentation;
    this.cache =
        new LoadingCache<>(
            bytes, CachePolicy.of(Id::key, Kept::weight, UnaryOperator.identity()), generations);
  }

  /**
   * The identity of a chunk, or of an inner chunk.
   *
   * @param key the key of the value that contains it
   * @param form the metadata of the array
   * @param inner its number in its shard; 0 for a chunk that is stored as a value of its own
   */
  public record Id(StoreKey key, ArrayForm form, long inner) {}

  private record Kept(NdArray chunk, long read) {
    long weight() {
      long size = chunk.bytes().size();
      return size + OVERHEAD;
    }
  }

  /** Returns the counts of look-ups so far. */
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

  /** Returns true if the cache is enabled. */
  public boolean isKeeping() {
    return isKeeping;
  }

  /**
   * Returns the chunk if it is cached and fresh.
   *
   * @param began when the reading operation began, in nanoseconds
   */
  public @Nullable NdArray find(Id id, long began) {
    Kept found = isKeeping ? cache.find(id) : null;
    return found != null && isFresh(id.key(), found.read(), began) ? found.chunk() : null;
  }

  /**
   * Returns true if bytes of a value suffice that were read at a time.
   *
   * @param read when the store was asked for them, in nanoseconds
   * @param began when the reading operation began
   */
  public boolean isFresh(StoreKey key, long read, long began) {
    return revalidation == null || revalidation.isYoung(key, read, began);
  }

  /** Counts a hit. */
  public void countHit() {
    hits.incrementAndGet();
    instrumentation.lookUp(Instrumentation.CHUNKS, CacheOutcome.HIT);
  }

  /** Returns true if the chunk is cached and can be revalidated. */
  public boolean isRevalidated(Id id) {
    return revalidation != null && revalidation.isPossible() && covered(id) != null;
  }

  /** Returns the entry if the answer of the store about the value holds for it, too. */
  private @Nullable Kept covered(Id id) {
    Kept found = cache.find(id);
    return found == null || Objects.requireNonNull(revalidation).covers(id.key(), found.read())
        ? found
        : null;
  }

  /** Asks the store whether the value that contains the chunk is unchanged. */
  public Mono<Boolean> isUnchanged(Id id) {
    return Objects.requireNonNull(revalidation)
        .isUnchanged(id.key())
        .onErrorReturn(false); // the load that follows succeeds, or signals the error
  }

  /** Returns the chunk, which has just been revalidated; null if it is evicted. */
  public @Nullable NdArray revalidatedChunk(Id id) {
    Kept found = covered(id);
    if (found == null) {
      return null;
    }
    revalidations.incrementAndGet();
    instrumentation.lookUp(Instrumentation.CHUNKS, CacheOutcome.REVALIDATION);
    return found.chunk();
  }

  /** Counts a chunk that another operation fetches. */
  public void countShared() {
    shared.incrementAndGet();
    instrumentation.lookUp(Instrumentation.CHUNKS, CacheOutcome.SHARED);
  }

  /** Counts a miss. */
  public void countMiss() {
    if (isKeeping) {
      misses.incrementAndGet();
      instrumentation.lookUp(Instrumentation.CHUNKS, CacheOutcome.MISS);
    }
  }

  /**
   * Caches a chunk.
   *
   * @param asked when its bytes were requested, in nanoseconds
   * @param generation the generation of the value at that time
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
