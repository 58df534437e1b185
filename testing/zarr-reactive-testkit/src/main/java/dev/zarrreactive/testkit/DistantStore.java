package dev.zarrreactive.testkit;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.Stores;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A store as if it were far away: what is read comes after a latency, over connections of some
 * bandwidth, and beyond a capacity is refused with {@link TransientStoreException}, as a service
 * does with 503. Whatever is not a {@code get} of some kind goes straight to the store.
 * Thread-safe; waiting holds no thread.
 *
 * <p>Answers come on the scheduler that keeps the time. With a {@code VirtualTimeScheduler} there,
 * and as the codec scheduler, what an operation takes is exact.
 */
public final class DistantStore extends DelegatingStore {
  private final Distance distance;
  private final Scheduler time;
  private final Store line;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  private DistantStore(Store near, Distance distance, Scheduler time) {
    super(near);
    this.distance = distance;
    this.time = time;
    this.line = Stores.limited(new Line(near), distance.connections());
  }

  /** {@code store}, so far away. */
  public static DistantStore of(Store store, Distance distance, Scheduler time) {
    return new DistantStore(store, distance, time);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return request(key, far -> far.get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return request(key, far -> far.get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return request(key, far -> far.getVersioned(key, range, condition));
  }

  private <T> Mono<T> request(StoreKey key, Function<Store, Mono<T>> ask) {
    return Mono.defer(
        () -> {
          requests.incrementAndGet();
          int now = inFlight.incrementAndGet();
          if (now > distance.capacity()) {
            inFlight.decrementAndGet(); // takes no place
            return refusal(key);
          }
          mostInFlight.accumulateAndGet(now, Math::max);
          AtomicBoolean over = new AtomicBoolean();
          Runnable leave =
              () -> {
                if (over.compareAndSet(false, true)) {
                  inFlight.decrementAndGet();
                }
              };
          return ask.apply(line).doOnTerminate(leave).doOnCancel(leave);
        });
  }

  private <T> Mono<T> refusal(StoreKey key) {
    refusals.incrementAndGet();
    return Mono.delay(distance.latency(), time)
        .then(
            Mono.error(
                () ->
                    new TransientStoreException(
                        "refused: " + distance.capacity() + " requests are here already",
                        Location.ofKey(key.value()))));
  }

  /** How many requests were made, with those refused. */
  public int requests() {
    return requests.get();
  }

  /** How many requests were refused. */
  public int refusals() {
    return refusals.get();
  }

  /** How many bytes came. */
  public long bytes() {
    return bytes.get();
  }

  /** The most requests that were there at a time, without those refused. */
  public int mostInFlight() {
    return mostInFlight.get();
  }

  /** Counts from nothing again. */
  public void reset() {
    requests.set(0);
    refusals.set(0);
    bytes.set(0);
    mostInFlight.set(inFlight.get());
  }

  /** The connections: each request takes its time. */
  private final class Line extends DelegatingStore {
    Line(Store near) {
      super(near);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return later(super.get(key), Bytes::size);
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return later(super.get(key, range), Bytes::size);
    }

    @Override
    public Mono<VersionedBytes> getVersioned(
        StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
      return later(
          super.getVersioned(key, range, condition),
          answer -> answer.bytes() == null ? 0 : answer.bytes().size());
    }

    private <T> Mono<T> later(Mono<T> answer, ToLongFunction<T> bytesOf) {
      return answer
          .map(Optional::of)
          .defaultIfEmpty(Optional.empty())
          .flatMap(
              value -> {
                long size = value.map(bytesOf::applyAsLong).orElse(0L);
                bytes.addAndGet(size);
                return Mono.delay(distance.time(size), time).then(Mono.justOrEmpty(value));
              });
    }
  }
}
