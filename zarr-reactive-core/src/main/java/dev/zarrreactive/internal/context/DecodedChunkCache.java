package dev.zarrreactive.internal.context;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.context.ArrayStorage.ArrayForm;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.store.decorator.CacheCounts;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cache of decoded chunks, bounded by their bytes. Missing chunks are not cached. A write of this
 * process evicts the chunks of the value, and a fetch that it overtakes is not cached.
 */
public final class DecodedChunkCache {
  /** The bytes of an entry besides its elements. */
  private static final long OVERHEAD = 256;

  private final boolean isKeeping;
  private final Instrumentation instrumentation;
  private final LoadingCache<StoreKey, Id, NdArray> cache;
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();

  /**
   * Creates an empty cache.
   *
   * @param bytes the most bytes of chunks; 0 to disable the cache
   */
  DecodedChunkCache(long bytes, Instrumentation instrumentation, Generations generations) {
    this.isKeeping = bytes > 0;
    this.instrumentation = instrumentation;
    this.cache =
        new LoadingCache<>(
            bytes,
            CachePolicy.of(Id::key, DecodedChunkCache::weight, UnaryOperator.identity()),
            generations);
  }

  /**
   * The identity of a chunk, or of an inner chunk.
   *
   * @param key the key of the value that contains it
   * @param form the metadata of the array
   * @param inner its number in its shard; 0 for a chunk that is stored as a value of its own
   */
  public record Id(StoreKey key, ArrayForm form, long inner) {}

  private static long weight(NdArray chunk) {
    return chunk.bytes().size() + OVERHEAD;
  }

  /** Returns the counts of look-ups so far. */
  public CacheCounts counts() {
    return new CacheCounts(
        hits.get(), shared.get(), misses.get(), 0, cache.evictions(), cache.size(), cache.weight());
  }

  /** Returns true if the cache is enabled. */
  public boolean isKeeping() {
    return isKeeping;
  }

  /** Returns the chunk; null if it is not cached. */
  public @Nullable NdArray find(Id id) {
    return isKeeping ? cache.find(id) : null;
  }

  /** Counts a hit. */
  public void countHit() {
    hits.incrementAndGet();
    instrumentation.lookUp(Instrumentation.CHUNKS, CacheOutcome.HIT);
  }

  /**
   * Counts chunks that are not in the cache.
   *
   * @param own those that are requested
   * @param joined those that other operations fetch
   */
  public void countFetches(long own, long joined) {
    count(isKeeping ? own : 0, misses, CacheOutcome.MISS);
    count(joined, shared, CacheOutcome.SHARED);
  }

  private void count(long chunks, AtomicLong counter, CacheOutcome outcome) {
    counter.addAndGet(chunks);
    for (long i = 0; i < chunks; i++) {
      instrumentation.lookUp(Instrumentation.CHUNKS, outcome);
    }
  }

  /**
   * Caches a chunk.
   *
   * @param generation the generation of the value when its bytes were requested
   */
  public void put(Id id, NdArray chunk, long generation) {
    cache.put(id, chunk, generation);
  }

  void forget(StoreKey key) {
    cache.removeGroup(key);
  }

  void forget(Predicate<StoreKey> keys) {
    cache.removeGroups(keys);
  }
}
