package dev.zarrreactive.store.decorator;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/** Repeats late requests and returns the first answer. */
final class HedgedStore extends DelegatingStore {
  private final Latencies latencies;
  private final Scheduler timer;

  HedgedStore(Store delegate, HedgeOptions options, Scheduler timer) {
    super(delegate);
    this.latencies = new Latencies(options);
    this.timer = timer;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return hedge(() -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return hedge(() -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return hedge(() -> delegate().getVersioned(key, range, condition));
  }

  @Override
  public @Nullable LocatedValues located() {
    return LocatedReads.over(
        delegate(), (below, object, range) -> hedge(() -> below.read(object, range)));
  }

  private <T> Mono<T> hedge(Supplier<Mono<T>> request) {
    return Mono.deferContextual(
        subscriber -> {
          latencies.begin();
          return race(request, subscriber)
              .doOnError(error -> latencies.failed())
              .flatMap(Mono::justOrEmpty);
        });
  }

  /**
   * Makes a request and measures it from its subscription, so that a request that began late does
   * not count as slow. A missing value is an answer, too.
   */
  private <T> Mono<Optional<T>> answer(Supplier<Mono<T>> request) {
    return Mono.defer(
        () -> {
          long start = now();
          return request
              .get()
              .map(Optional::of)
              .defaultIfEmpty(Optional.empty())
              .doOnNext(answer -> latencies.answered(now() - start));
        });
  }

  /** Returns the first answer and cancels the other request. An error waits for the other's end. */
  private <T> Mono<Optional<T>> race(Supplier<Mono<T>> request, ContextView subscriber) {
    Sinks.Empty<Void> over = Sinks.empty();
    Mono<Optional<T>> first = answer(request).doOnError(error -> over.tryEmitEmpty());
    Mono<Optional<T>> second =
        awaitLateness()
            .takeUntilOther(over.asMono())
            .doOnNext(waited -> StoreObserver.tell(subscriber, told -> told.onHedge(waited)))
            .flatMap(waited -> answer(request));
    return Mono.firstWithValue(first, second).onErrorMap(HedgedStore::firstError);
  }

  /** Completes with the time of waiting when a second request may be made. */
  private Mono<Duration> awaitLateness() {
    return Mono.defer(
        () -> {
          long start = now();
          return Mono.defer(
                  () -> {
                    long wait = latencies.untilNextLook(now() - start);
                    return Mono.delay(Duration.ofNanos(wait), timer);
                  })
              .map(look -> now() - start)
              .repeat()
              .filter(latencies::takeSecond)
              .next()
              .map(Duration::ofNanos);
        });
  }

  private long now() {
    return timer.now(TimeUnit.NANOSECONDS);
  }

  /** Returns the error of the first request from the combined errors of all requests. */
  private static Throwable firstError(Throwable error) {
    Throwable all = error.getCause() == null ? error : error.getCause();
    return Exceptions.unwrapMultiple(all).stream()
        .filter(each -> !(each instanceof NoSuchElementException))
        .findFirst()
        .orElse(error);
  }
}
