package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import dev.zarrreactive.internal.sharing.SharedRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Single-flight reads through a cache: a read is answered from memory, joins a request in flight,
 * or makes a request. A request whose key is invalidated meanwhile still answers its waiting
 * readers, but is neither cached nor joined by later readers. The lock is held for a few steps in
 * memory, never during a request.
 */
final class SharedReads {
  private static final String VALUES = "values";

  private final RecentValues values;
  private final boolean keepMissing;
  private final long freshNanos;
  private final LongSupplier clock;
  private final Map<Ask, SharedRequest<Answer>> requests = new HashMap<>();
  private int erasures;
  private long hits;
  private long shared;
  private long misses;
  private long revalidations;

  SharedReads(CacheOptions options, LongSupplier clock) {
    this.values = new RecentValues(options.maxBytes());
    this.keepMissing = options.missingKeys();
    this.freshNanos =
        options.revalidation() == null
            ? Long.MAX_VALUE
            : TimeUnit.NANOSECONDS.convert(options.revalidation());
    this.clock = clock;
  }

  /** A request to the store. */
  private record Ask(CacheKey key, ReadCondition condition) {}

  /**
   * The answer for readers; {@code confirmed} if the store has answered that the value is
   * unchanged.
   */
  private record Answer(VersionedBytes given, boolean confirmed) {}

  /** The result of a look-up, and its answer. */
  private record Begun(LookUp lookUp, Mono<VersionedBytes> answer) {}

  /** Reads a value or range, from {@code source} after a miss. */
  Mono<VersionedBytes> read(
      CacheKey key, ReadCondition condition, Function<ReadCondition, Mono<VersionedBytes>> source) {
    return Mono.deferContextual(
        subscriber -> {
          Begun begun = begin(new Ask(key, condition), source);
          Observers.tell(Observers.of(subscriber), told -> told.onLookUp(VALUES, begun.lookUp()));
          return begun.answer();
        });
  }

  synchronized void forget(StoreKey key) {
    values.forget(key);
    detach(key::equals);
  }

  synchronized void forgetBelow(StorePrefix prefix) {
    values.forgetBelow(prefix);
    detach(prefix::contains);
  }

  /**
   * Begins the erasure of unknown keys. Until {@link #erased()} the cache adds no entry, since a
   * read that began before the erasure of its key may end after it.
   */
  synchronized void erasing() {
    erasures++;
  }

  synchronized void erased() {
    erasures--;
    detach(any -> true);
  }

  synchronized CacheCounts counts() {
    return new CacheCounts(
        hits, shared, misses, revalidations, values.evictions(), values.entries(), values.bytes());
  }

  /** Returns the number of requests in flight that readers may join. */
  synchronized int underWay() {
    return requests.size();
  }

  private synchronized Begun begin(Ask ask, Function<ReadCondition, Mono<VersionedBytes>> source) {
    ReadCondition condition = ask.condition();
    CacheEntry known = condition.known() == null ? find(ask.key()) : null;
    if (known != null && suffices(known, condition)) {
      hits++;
      return new Begun(LookUp.HIT, Mono.justOrEmpty(known.answer(ask.key().range())));
    }
    SharedRequest<Answer> request = requests.get(ask);
    Mono<Answer> joined = request == null ? null : request.tryJoin();
    if (joined != null) {
      shared++;
      return new Begun(LookUp.SHARED, joined.map(Answer::given));
    }
    CacheEntry old = condition.equals(ReadCondition.ALWAYS) ? known : null;
    Version version = old == null ? null : old.version();
    ReadCondition asked = version == null ? condition : ReadCondition.ifChanged(version);
    if (asked.known() == null) {
      misses++;
    } else {
      revalidations++;
    }
    SharedRequest<Answer> made =
        request(
            ask, Mono.defer(() -> source.apply(asked)).map(got -> settled(ask.key(), got, old)));
    requests.put(ask, made);
    return new Begun(
        asked.known() == null ? LookUp.MISS : LookUp.REVALIDATION,
        Objects.requireNonNull(made.tryJoin()).map(Answer::given));
  }

  /** Returns the entry of the value or range, or else of the whole value; null if there is none. */
  private @Nullable CacheEntry find(CacheKey key) {
    CacheEntry known = values.use(key);
    return known == null && key.range() != null ? values.use(key.whole()) : known;
  }

  private boolean suffices(CacheEntry known, ReadCondition condition) {
    return condition.required() == null
        ? freshNanos == Long.MAX_VALUE || clock.getAsLong() - values.confirmedAt(known) < freshNanos
        : condition.required().equals(known.version());
  }

  private Answer settled(CacheKey key, VersionedBytes got, @Nullable CacheEntry old) {
    Bytes bytes = got.bytes();
    if (bytes != null) {
      return new Answer(new VersionedBytes(alone(key, bytes), got.version()), false);
    }
    VersionedBytes same = old == null ? got : old.answer(key.range());
    return new Answer(Objects.requireNonNull(same), true);
  }

  private SharedRequest<Answer> request(Ask ask, Mono<Answer> source) {
    long askedAt = clock.getAsLong();
    return new SharedRequest<>(
        source.doOnError(PreconditionFailedException.class, e -> forget(ask.key().key())),
        new SharedRequest.Owner<>() {
          @Override
          public void answered(SharedRequest<Answer> request, @Nullable Answer answer) {
            keep(ask, request, answer, askedAt);
          }

          @Override
          public void failed(SharedRequest<Answer> request) {
            remove(ask, request);
          }

          @Override
          public void abandoned(SharedRequest<Answer> request) {
            remove(ask, request);
          }
        });
  }

  /**
   * Detaches the requests in flight for these keys: later readers cannot join them, and their
   * answers bypass the cache.
   */
  private void detach(Predicate<StoreKey> keys) {
    requests.keySet().removeIf(ask -> keys.test(ask.key().key()));
  }

  private synchronized void keep(
      Ask ask, SharedRequest<Answer> request, @Nullable Answer answer, long askedAt) {
    if (!requests.remove(ask, request) || erasures > 0) {
      return;
    }
    CacheKey key = ask.key();
    if (answer == null) {
      values.forget(key.key());
      if (keepMissing) {
        put(new CacheEntry(key.whole(), null, null, askedAt));
      }
      return;
    }
    VersionedBytes given = answer.given();
    if (values.found(key.key(), given.version(), askedAt) && !answer.confirmed()) {
      put(new CacheEntry(key.kept(), given.bytes(), given.version(), askedAt));
    }
  }

  private void put(CacheEntry entry) {
    if (values.fits(entry.weight())) {
      values.put(entry);
    }
  }

  private synchronized void remove(Ask ask, SharedRequest<Answer> request) {
    requests.remove(ask, request);
  }

  /** Returns a copy if the bytes are a part of a larger array, which the cache would retain. */
  private Bytes alone(CacheKey key, Bytes value) {
    boolean kept = values.fits(CacheEntry.weight(key, value));
    return kept && value.unsafeArray().length > value.size()
        ? MemoryGuard.allocating(
            "of a value in a cache",
            value.size(),
            Location.ofKey(key.key().value()),
            () -> Bytes.wrap(value.toByteArray()))
        : value;
  }
}
