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
 * Reads that are answered from memory, by the request of another read that is under way, or by a
 * request of their own. What is forgotten while it is being read is read for those who wait, but
 * neither kept nor shared with whoever comes later. The lock is held for a few steps in memory,
 * never while a store is asked.
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

  /** What is asked of the store. */
  private record Ask(CacheKey key, ReadCondition condition) {}

  /** What readers get, and whether the store said that it knows of no change. */
  private record Answer(VersionedBytes given, boolean confirmed) {}

  /** How a read begins. */
  private record Begun(LookUp lookUp, Mono<VersionedBytes> answer) {}

  /** The value or range; {@code source} is what to ask where nobody knows it. */
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
   * Keys that nobody has counted are erased from now on. Nothing is kept until {@link #erased()},
   * for a read that began before its key's erasure may end after it.
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

  /** How many requests are under way that others may share. */
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

  /** What is kept of the value or range, or of the whole value; null where nothing is. */
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

  /** Requests under way for these keys are no longer shared with anybody new, and not kept. */
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

  /** A copy where the bytes are a part of a larger array, which would be kept with them. */
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
