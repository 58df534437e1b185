package dev.zarrreactive.internal.context;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ShardIndex;
import dev.zarrreactive.codec.ShardLayout;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.context.HierarchyContext.Limits;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.observation.Instrumentation;
import dev.zarrreactive.internal.sharing.SharedFailure;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.CacheCounts;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The cache of the shard indexes of one opened hierarchy. Concurrent look-ups share one fetch. An
 * index is evicted when there is no room for it, or when this process writes or erases its shard.
 */
public final class ShardIndexCache {
  private final Store store;
  private final int speculativeTail;
  private final Scheduler scheduler;
  private final Instrumentation instrumentation;
  private final Generations generations;
  private final LoadingCache<StoreKey, ShardIndexKey, ShardIndexEntry> cache;
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();

  ShardIndexCache(
      Store store,
      Limits limits,
      Scheduler scheduler,
      Instrumentation instrumentation,
      Generations generations) {
    this.store = store;
    this.speculativeTail = limits.speculativeTail();
    this.scheduler = scheduler;
    this.instrumentation = instrumentation;
    this.generations = generations;
    this.cache =
        new LoadingCache<>(
            limits.indexCacheBytes(),
            CachePolicy.of(ShardIndexKey::key, ShardIndexEntry::weight, ShardIndexEntry::alone),
            generations);
  }

  /** Returns the counts of look-ups so far. */
  public CacheCounts counts() {
    return new CacheCounts(
        hits.get(),
        shared.get(),
        misses.get(),
        0, // a revalidation is a miss, for it evicts the index first
        cache.evictions(),
        cache.size(),
        cache.weight());
  }

  /** Returns the index of a shard if it is cached. */
  public @Nullable ShardIndexEntry cached(ShardIndexKey key) {
    return cache.find(key);
  }

  /**
   * Looks up the index of a shard that is stored as a value of its own; empty if the value is
   * missing.
   *
   * @param share the share that leases the bytes; null to fetch without a lease
   */
  public Mono<ShardIndexEntry> find(
      ShardIndexKey key, ShardLayout layout, ByteBudget.@Nullable Share share) {
    return find(key, layout, wanted(key), null, share);
  }

  private Mono<ShardIndexEntry> find(
      ShardIndexKey key,
      ShardLayout layout,
      ByteRange range,
      @Nullable ShardIndexEntry known,
      ByteBudget.@Nullable Share share) {
    Mono<ShardIndexEntry> found =
        find(key, () -> read(key, layout, range, getVersioned(key.key(), range, known), known));
    return Mono.defer(() -> cache.find(key) == null ? lease(share, size(range), found) : found);
  }

  /**
   * Looks up the index of a nested shard.
   *
   * @param bytes the leased bytes of the index, which may be fetched together with others
   */
  public Mono<ShardIndexEntry> findNested(
      ShardIndexKey key, ShardLayout layout, Mono<VersionedBytes> bytes) {
    return find(key, () -> read(key, layout, layout.indexRange(), bytes, null));
  }

  /**
   * Revalidates the index of a shard, by its version if the store has versions. Empty if the value
   * is missing.
   *
   * @param since when the store must have been asked for the index, in nanoseconds
   */
  public Mono<ShardIndexEntry> confirm(
      ShardIndexKey key,
      ShardIndexEntry entry,
      ShardLayout layout,
      ByteBudget.Share share,
      long since) {
    ShardIndexEntry now = cache.find(key);
    if (now != null && now.asked() - since >= 0) {
      return Mono.just(now); // another operation has asked meanwhile
    }
    remove(key, entry);
    return entry.version() == null
        ? find(key, layout, share)
        : find(key, layout, layout.indexRange(), entry, share);
  }

  /**
   * Evicts an index that belongs to another version of its shard, unless another operation has
   * fetched a newer one meanwhile.
   */
  public void remove(ShardIndexKey key, ShardIndexEntry old) {
    ShardIndexEntry now = cache.find(key);
    if (now != null && now.index() != old.index()) {
      return;
    }
    if (old.version() == null) {
      cache.removeGroup(key.key()); // the indexes of nested shards may be stale, too
    } else if (now != null) {
      cache.remove(key, now);
    }
  }

  /** Caches the index of a shard that was fetched whole. */
  public void keep(ShardIndexKey key, ShardIndexEntry entry) {
    cache.put(key, entry, entry.generation());
  }

  /**
   * Returns the generation of a value, by which a read later detects that a write has overtaken it.
   */
  public long generation(StoreKey key) {
    return generations.of(key);
  }

  void forget(StoreKey key) {
    cache.removeGroup(key);
  }

  void forget(Predicate<StoreKey> keys) {
    cache.removeGroups(keys);
  }

  /**
   * Looks up an index. A failed load is the error of all look-ups that share it. A nested index may
   * come with others, in a request that fails for one of these: a look-up that shares it then makes
   * a load of its own.
   */
  private Mono<ShardIndexEntry> find(ShardIndexKey key, Supplier<Mono<ShardIndexEntry>> load) {
    return Mono.defer(
        () -> {
          LoadingCache.LookUp<ShardIndexEntry> first = lookUp(key, load);
          return first.answer() == LoadingCache.Answer.SHARED && !key.isWholeValue()
              ? first
                  .value()
                  .onErrorResume(SharedFailure::dependsOnRange, e -> lookUp(key, load).value())
              : first.value();
        });
  }

  private LoadingCache.LookUp<ShardIndexEntry> lookUp(
      ShardIndexKey key, Supplier<Mono<ShardIndexEntry>> load) {
    LoadingCache.LookUp<ShardIndexEntry> found = cache.lookUp(key, load);
    CacheOutcome outcome =
        switch (found.answer()) {
          case HIT -> CacheOutcome.HIT;
          case SHARED -> CacheOutcome.SHARED;
          case MISS -> CacheOutcome.MISS;
        };
    AtomicLong count =
        switch (outcome) {
          case HIT -> hits;
          case SHARED -> shared;
          case MISS, REVALIDATION -> misses;
        };
    count.incrementAndGet();
    instrumentation.lookUp(Instrumentation.SHARD_INDEXES, outcome);
    return found;
  }

  /**
   * Fetches the bytes of indexes under a lease for the bytes and the decoded indexes. A look-up is
   * leased before other operations can join it, so that no operation waits for another one's lease.
   */
  public static <T> Mono<T> lease(ByteBudget.@Nullable Share share, long bytes, Mono<T> fetch) {
    return share == null
        ? fetch
        : Mono.defer(
            () -> {
              ByteBudget.Lease lease = share.lease(2 * bytes);
              return lease
                  .grant()
                  .then(fetch)
                  .doOnTerminate(lease::end) // before the read goes on, and may end elsewhere
                  .doOnCancel(lease::end);
            });
  }

  private Mono<VersionedBytes> getVersioned(
      StoreKey key, ByteRange range, @Nullable ShardIndexEntry known) {
    Version version = known == null ? null : known.version();
    return Mono.defer(
        () ->
            store.capabilities().contains(StoreCapability.VERSIONS)
                ? store.getVersioned(
                    key,
                    range,
                    version == null ? ReadCondition.ALWAYS : ReadCondition.ifChanged(version))
                : store.get(key, range).map(bytes -> new VersionedBytes(bytes, null)));
  }

  private Mono<ShardIndexEntry> read(
      ShardIndexKey key,
      ShardLayout layout,
      ByteRange range,
      Mono<VersionedBytes> fetch,
      @Nullable ShardIndexEntry known) {
    return Mono.defer(
        () -> {
          long asked = Environment.current().nanoTime();
          long generation = generations.of(key.key());
          return fetch
              .publishOn(scheduler)
              .map(
                  read ->
                      read.isUnchanged()
                          ? new ShardIndexEntry(
                              Objects.requireNonNull(known).index(),
                              read.version(),
                              asked,
                              generation,
                              null)
                          : decoded(key, layout, range, read, asked, generation));
        });
  }

  private ShardIndexEntry decoded(
      ShardIndexKey key,
      ShardLayout layout,
      ByteRange range,
      VersionedBytes read,
      long asked,
      long generation) {
    Bytes bytes = Objects.requireNonNull(read.bytes());
    ByteRange.Slice place =
        key.index() instanceof ByteRange.Suffix suffix
            ? suffix.resolve(bytes.size())
            : new ByteRange.Slice(0, bytes.size());
    boolean isWhole = speculates(key, range) && bytes.size() < size(range);
    return new ShardIndexEntry(
        decode(layout, bytes, place), read.version(), asked, generation, isWhole ? bytes : null);
  }

  /** Decodes the index of a shard that is in memory. */
  public static ShardIndex decode(ShardLayout layout, Bytes shard) {
    return decode(layout, shard, within(layout.indexRange(), shard.size()));
  }

  private static ShardIndex decode(ShardLayout layout, Bytes bytes, ByteRange.Slice place) {
    return MemoryGuard.allocating(
        "to decode the index of a shard",
        place.length(),
        Location.UNKNOWN,
        () -> layout.decodeIndex(alone(bytes, place)));
  }

  /** Returns a part of some bytes that does not retain the rest in memory. */
  private static Bytes alone(Bytes bytes, ByteRange.Slice part) {
    Bytes slice = bytes.slice((int) part.offset(), (int) part.length());
    return slice.size() == bytes.unsafeArray().length ? slice : Bytes.wrap(slice.toByteArray());
  }

  /**
   * Resolves a range in a shard of {@code size} bytes.
   *
   * @throws CodecException if the range exceeds the shard
   */
  public static ByteRange.Slice within(ByteRange range, long size) {
    try {
      return range.resolve(size);
    } catch (IndexOutOfBoundsException e) {
      throw new CodecException(
          "the shard's index points outside of it: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }

  /** Returns the range to request: the index, or a longer tail of the shard. */
  private ByteRange wanted(ShardIndexKey key) {
    return key.isWholeValue()
            && key.index() instanceof ByteRange.Suffix suffix
            && suffix.length() < speculativeTail
        ? new ByteRange.Suffix(speculativeTail)
        : key.index();
  }

  private static boolean speculates(ShardIndexKey key, ByteRange range) {
    return key.isWholeValue() && !range.equals(key.index());
  }

  private static long size(ByteRange range) {
    return range instanceof ByteRange.Suffix suffix
        ? suffix.length()
        : ((ByteRange.Slice) range).length();
  }

  /**
   * The index of a shard, with the state of the value that it was read from.
   *
   * @param version the version of the value; null if the store has no versions
   * @param asked when it was requested, in nanoseconds
   * @param generation the generation of the value at that time
   * @param whole the bytes of the shard if they were fetched with the index; not cached
   */
  public record ShardIndexEntry(
      ShardIndex index,
      @Nullable Version version,
      long asked,
      long generation,
      @Nullable Bytes whole) {
    /** The bytes of an entry besides the ranges of the inner chunks. */
    private static final long OVERHEAD = 256;

    /** Returns the same index without the bytes of the shard. */
    ShardIndexEntry alone() {
      return whole == null ? this : new ShardIndexEntry(index, version, asked, generation, null);
    }

    long weight() {
      return index.byteSize() + OVERHEAD;
    }
  }
}
