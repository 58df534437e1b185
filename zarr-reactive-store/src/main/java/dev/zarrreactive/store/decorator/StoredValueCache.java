package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.internal.cache.CachePolicy;
import dev.zarrreactive.internal.cache.Generations;
import dev.zarrreactive.internal.cache.LoadingCache;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.observation.CacheOutcome;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Stored values and ranges of them in memory. A read is answered from memory, by the request of
 * another read that is under way, or by a request of its own.
 */
final class StoredValueCache {
  private static final String VALUES = "values";

  private final long maxBytes;
  private final boolean keepMissing;
  private final long freshNanos;
  private final LongSupplier clock;
  private final Generations generations = new Generations();
  private final LoadingCache<StoreKey, CacheKey, StoredValue> cache;
  private final AtomicInteger erasures = new AtomicInteger();
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong shared = new AtomicLong();
  private final AtomicLong misses = new AtomicLong();
  private final AtomicLong revalidations = new AtomicLong();

  /**
   * A value, or a range of it.
   *
   * @param object of another store, in which values lie; null for a value of the store itself
   */
  record CacheKey(StoreKey key, @Nullable ByteRange range, @Nullable StoredObject object) {
    private static final int OVERHEAD = 256;

    CacheKey(StoreKey key, @Nullable ByteRange range) {
      this(key, range, null);
    }

    /** The whole value. */
    CacheKey whole() {
      return range == null ? this : new CacheKey(key, null, object);
    }

    /** Returns the key of the entry for this read; a bounded read is cached as the whole value. */
    CacheKey kept() {
      return range instanceof ByteRange.Whole ? whole() : this;
    }

    /** Returns the bytes that an entry takes: its own, its objects, and the key's characters. */
    long weight(@Nullable Bytes value) {
      return OVERHEAD + 2L * key.value().length() + (value == null ? 0 : value.size());
    }
  }

  /**
   * An answer of a store about a value, or a range of it.
   *
   * @param bytes of the value or range; null for a missing value, and for an answer without bytes
   * @param version of the whole value, where it is known
   * @param askedAt when the store was asked, in nanoseconds of the cache's clock
   */
  record StoredValue(
      CacheKey key, Kind kind, @Nullable Bytes bytes, @Nullable Version version, long askedAt) {

    enum Kind {
      READ,
      MISSING,
      /** The value has not changed. */
      CONFIRMED
    }

    static StoredValue missing(CacheKey key, long askedAt) {
      return new StoredValue(key.whole(), Kind.MISSING, null, null, askedAt);
    }

    static StoredValue of(CacheKey key, VersionedBytes answer, long askedAt) {
      Kind kind = answer.isUnchanged() ? Kind.CONFIRMED : Kind.READ;
      return new StoredValue(key.kept(), kind, answer.bytes(), answer.version(), askedAt);
    }

    /** Returns this, confirmed at a time. */
    StoredValue confirmed(long when) {
      return new StoredValue(key, Kind.CONFIRMED, bytes, version, when);
    }

    StoredValue withoutBytes() {
      return new StoredValue(key, kind, null, version, askedAt);
    }

    /** Returns what this says of itself, or of a range of its value. */
    StoredValue of(CacheKey part) {
      Bytes whole = bytes;
      ByteRange range = part.range();
      return whole == null || range == null || key.equals(part)
          ? this
          : new StoredValue(part, kind, range.of(key.key(), whole), version, askedAt);
    }

    boolean isMissing() {
      return kind == Kind.MISSING;
    }

    boolean isOfSameState(StoredValue other) {
      return isMissing() == other.isMissing() && Objects.equals(version, other.version);
    }

    /** Returns what a reader gets; null where there is no value. */
    @Nullable VersionedBytes answer() {
      return isMissing() ? null : new VersionedBytes(bytes, version);
    }
  }

  StoredValueCache(CacheOptions options, LongSupplier clock) {
    this.maxBytes = options.maxBytes();
    this.keepMissing = options.missingKeys();
    this.freshNanos =
        options.revalidation() == null
            ? Long.MAX_VALUE
            : TimeUnit.NANOSECONDS.convert(options.revalidation());
    this.clock = clock;
    this.cache = new LoadingCache<>(maxBytes, new Policy(), generations);
  }

  /** Everything that is kept of one key is of one version. */
  private final class Policy implements CachePolicy<StoreKey, CacheKey, StoredValue> {
    @Override
    public StoreKey groupOf(CacheKey key) {
      return key.key();
    }

    @Override
    public CacheKey keyOf(CacheKey asked, StoredValue loaded) {
      return loaded.key();
    }

    @Override
    public long weight(StoredValue value) {
      boolean isKept =
          switch (value.kind()) {
            case READ -> erasures.get() == 0;
            case MISSING -> erasures.get() == 0 && keepMissing;
            case CONFIRMED -> false; // the entry is there already
          };
      return isKept ? value.key().weight(value.bytes()) : Long.MAX_VALUE;
    }

    @Override
    public StoredValue outline(StoredValue value) {
      return value.withoutBytes();
    }

    @Override
    public boolean agree(StoredValue one, StoredValue other) {
      return one.isOfSameState(other);
    }

    @Override
    public boolean isOlder(StoredValue one, StoredValue other) {
      return one.askedAt() < other.askedAt();
    }
  }

  /**
   * Returns the value or range.
   *
   * @param source asks the store
   */
  Mono<VersionedBytes> read(
      CacheKey key, ReadCondition condition, Function<ReadCondition, Mono<VersionedBytes>> source) {
    return Mono.deferContextual(
        subscriber -> {
          Read read = new Read(key, condition, source);
          LoadingCache.LookUp<StoredValue> found =
              cache.lookUp(key.kept(), read.way(), read::known, read::load);
          CacheOutcome lookUp = counted(found.answer(), read);
          StoreObserver.tell(subscriber, told -> told.onLookUp(VALUES, lookUp));
          return found.value().mapNotNull(StoredValue::answer);
        });
  }

  private CacheOutcome counted(LoadingCache.Answer answer, Read read) {
    CacheOutcome lookUp =
        switch (answer) {
          case HIT -> CacheOutcome.HIT;
          case SHARED -> CacheOutcome.SHARED;
          case MISS -> read.asked.known() == null ? CacheOutcome.MISS : CacheOutcome.REVALIDATION;
        };
    AtomicLong count =
        switch (lookUp) {
          case HIT -> hits;
          case SHARED -> shared;
          case MISS -> misses;
          case REVALIDATION -> revalidations;
        };
    count.incrementAndGet();
    return lookUp;
  }

  /** Forgets what is kept of a key; what is being read of it is given to its readers alone. */
  void forget(StoreKey key) {
    generations.advance(key);
    cache.removeGroup(key);
  }

  /** Forgets every value below the prefix. */
  void forgetBelow(StorePrefix prefix) {
    generations.advanceAll();
    cache.removeGroups(prefix::contains);
  }

  /**
   * Erases keys that are not counted before. Nothing is kept until {@link #erased()}, for a read
   * that began before its key's erasure may end after it.
   */
  void erasing() {
    erasures.incrementAndGet();
  }

  void erased() {
    generations.advanceAll();
    erasures.decrementAndGet();
  }

  CacheCounts counts() {
    return new CacheCounts(
        hits.get(),
        shared.get(),
        misses.get(),
        revalidations.get(),
        cache.evictions(),
        cache.size(),
        cache.weight());
  }

  /** Returns how many requests are under way that other reads may share. */
  int underWay() {
    return cache.underWay();
  }

  /** One read, from the look at what is known to the answer of the store. */
  private final class Read {
    private final CacheKey key;
    private final ReadCondition condition;
    private final Function<ReadCondition, Mono<VersionedBytes>> source;
    private @Nullable StoredValue old;
    private ReadCondition asked;

    Read(
        CacheKey key,
        ReadCondition condition,
        Function<ReadCondition, Mono<VersionedBytes>> source) {
      this.key = key;
      this.condition = condition;
      this.source = source;
      this.asked = condition;
    }

    /** The part that tells this request from other requests for the same entry. */
    private record Way(@Nullable ByteRange range, ReadCondition condition) {}

    Object way() {
      return new Way(key.range(), condition);
    }

    /** The value or range, or that range of the whole value, where it need not be asked for. */
    @Nullable StoredValue known() {
      if (condition.known() != null) {
        return null;
      }
      StoredValue known = cache.find(key);
      if (known == null && key.range() != null) {
        known = cache.find(key.whole());
      }
      if (known == null || !isRequired(known)) {
        return null;
      }
      if (!isFresh(known)) {
        old = known;
        return null;
      }
      return known.of(key); // not before: the range may be outside of another version
    }

    /** Returns true where the condition allows the version of an entry. */
    private boolean isRequired(StoredValue known) {
      return condition.required() == null || condition.required().equals(known.version());
    }

    private boolean isFresh(StoredValue known) {
      return freshNanos == Long.MAX_VALUE || clock.getAsLong() - confirmedAt(known) < freshNanos;
    }

    /** When the store last said what an entry says, of this entry or of another of its version. */
    private long confirmedAt(StoredValue known) {
      StoredValue latest = known.version() == null ? null : cache.latest(key.key());
      return latest == null ? known.askedAt() : Math.max(latest.askedAt(), known.askedAt());
    }

    Mono<StoredValue> load() {
      StoredValue before = old;
      Version version = before == null ? null : before.version();
      Version required = condition.required();
      asked = version == null ? condition : ReadCondition.ifChanged(version);
      long askedAt = clock.getAsLong();
      return Mono.defer(() -> source.apply(asked))
          .map(
              answer ->
                  before != null && answer.bytes() == null
                      ? before.of(key).confirmed(askedAt)
                      : StoredValue.of(key, alone(required(answer)), askedAt))
          .defaultIfEmpty(StoredValue.missing(key, askedAt))
          .onErrorMap(
              RangeOutOfBoundsException.class,
              e ->
                  before == null || required == null
                      ? e
                      : required.mismatch(key.key(), "it is shorter"))
          .doOnError(Read::meansAnotherVersion, e -> forget(key.key()));
    }

    /** Returns true for an error by which the value is not the cached one. */
    private static boolean meansAnotherVersion(Throwable error) {
      return error instanceof PreconditionFailedException
          || error instanceof RangeOutOfBoundsException;
    }

    /** Checks the answer of a revalidation, which had another condition than the reader's. */
    private VersionedBytes required(VersionedBytes answer) {
      if (condition.required() != null) {
        condition.check(key.key(), answer.version());
      }
      return answer;
    }

    /** A copy where the bytes are a part of a larger array, which would be kept with them. */
    private VersionedBytes alone(VersionedBytes answer) {
      Bytes bytes = answer.bytes();
      if (bytes == null
          || bytes.unsafeArray().length == bytes.size()
          || key.weight(bytes) > maxBytes) {
        return answer;
      }
      return MemoryGuard.allocating(
          "of a value in a cache",
          bytes.size(),
          Location.ofKey(key.key().value()),
          () -> new VersionedBytes(Bytes.wrap(bytes.toByteArray()), answer.version()));
    }
  }
}
