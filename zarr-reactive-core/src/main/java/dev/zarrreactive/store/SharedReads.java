package dev.zarrreactive.store;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/**
 * Reads that are answered from memory, by the request of another read that is under way, or by a
 * request of their own. What is forgotten while it is being read is read for those who wait, but
 * neither kept nor shared with whoever comes later. The lock is held for a few steps in memory,
 * never while a store is asked.
 */
final class SharedReads {
  private final RecentValues values;
  private final boolean keepMissing;
  private final Map<CacheKey, Request> requests = new HashMap<>();
  private int erasures;
  private long hits;
  private long shared;
  private long misses;

  SharedReads(CacheOptions options) {
    this.values = new RecentValues(options.maxBytes());
    this.keepMissing = options.missingKeys();
  }

  /** The value or range; {@code source} is what to ask where nobody knows it. */
  Mono<Bytes> read(CacheKey key, Supplier<Mono<Bytes>> source) {
    return Mono.defer(() -> begin(key, source));
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
        hits, shared, misses, values.evictions(), values.entries(), values.bytes());
  }

  /** How many requests are under way that others may share. */
  synchronized int underWay() {
    return requests.size();
  }

  private synchronized Mono<Bytes> begin(CacheKey key, Supplier<Mono<Bytes>> source) {
    ByteRange range = key.range();
    RecentValues.Entry known = values.use(key);
    if (known == null && range != null) {
      known = values.use(key.whole());
      if (known != null && known.value() != null) {
        hits++;
        return Mono.just(Fallbacks.slice(key.key(), known.value(), range));
      }
    }
    if (known != null) {
      hits++;
      return Mono.justOrEmpty(known.value());
    }
    Request request = requests.get(key);
    if (request == null) {
      misses++;
      request = new Request(key, source);
      requests.put(key, request);
    } else {
      shared++;
    }
    return request.join();
  }

  /** Requests under way for these keys are no longer shared with anybody new, and not kept. */
  private void detach(Predicate<StoreKey> keys) {
    requests.keySet().removeIf(key -> keys.test(key.key()));
  }

  private synchronized void answered(Request request, @Nullable Bytes value) {
    if (!requests.remove(request.key, request) || erasures > 0) {
      return;
    }
    CacheKey key = value == null ? request.key.whole() : request.key;
    RecentValues.Entry entry = RecentValues.Entry.of(key, value);
    if (values.fits(entry) && (value != null || keepMissing)) {
      values.put(key, entry);
    }
  }

  private synchronized void failed(Request request) {
    requests.remove(request.key, request);
  }

  /** True where nobody waits for the request any more. */
  private synchronized boolean abandon(Request request) {
    request.waiting--;
    if (request.waiting > 0) {
      return false;
    }
    requests.remove(request.key, request);
    return true;
  }

  /** One request and those who wait for it; it is given up when all of them have left. */
  private final class Request {
    private final CacheKey key;
    private final Sinks.Empty<Void> abandoned = Sinks.empty();
    private final Mono<Bytes> answer;
    private volatile boolean over;
    private int waiting;

    Request(CacheKey key, Supplier<Mono<Bytes>> source) {
      this.key = key;
      this.answer =
          Mono.defer(() -> over ? Mono.<Bytes>empty() : source.get())
              .map(this::alone)
              .doOnSuccess(value -> answered(this, value))
              .doOnError(error -> failed(this))
              .takeUntilOther(abandoned.asMono())
              .cache(); // for those who wait; nobody finds this request once it has ended
    }

    /** The answer for one more; called with the lock held. */
    Mono<Bytes> join() {
      waiting++;
      return answer.doFinally(end -> leave(end));
    }

    private void leave(SignalType end) {
      if (end == SignalType.CANCEL && abandon(this)) {
        over = true;
        abandoned.tryEmitEmpty();
      }
    }

    /** A copy where the bytes are a part of a larger array, which would be kept with them. */
    private Bytes alone(Bytes value) {
      boolean kept = values.fits(RecentValues.Entry.of(key, value));
      return kept && value.unsafeArray().length > value.size()
          ? Bytes.wrap(value.toByteArray())
          : value;
    }
  }
}
