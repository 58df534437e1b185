package dev.zarrreactive.store;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** Asks once more what is late, and takes what comes first. */
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
    return hedged(() -> delegate().get(key));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return hedged(() -> delegate().get(key, range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return hedged(() -> delegate().getVersioned(key, range, condition));
  }

  @Override
  public Flux<PartialValue> getPartialValues(List<KeyRange> keyRanges) {
    return partialValuesOneByOne(keyRanges);
  }

  private <T> Mono<T> hedged(Supplier<Mono<T>> request) {
    return Mono.deferContextual(
        subscriber -> {
          latencies.begin();
          return race(request, Observers.of(subscriber))
              .doOnError(error -> latencies.failed())
              .flatMap(Mono::justOrEmpty);
        });
  }

  /**
   * A missing value is an answer, too. What counts is the time of the request itself, so that one
   * which was begun late does not look slow.
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

  /** The first answer; the other request is given up. An error waits for the other's end. */
  private <T> Mono<Optional<T>> race(Supplier<Mono<T>> request, @Nullable StoreObserver observer) {
    Sinks.Empty<Void> over = Sinks.empty();
    Mono<Optional<T>> first = answer(request).doOnError(error -> over.tryEmitEmpty());
    Mono<Optional<T>> second =
        late()
            .takeUntilOther(over.asMono())
            .doOnNext(waited -> Observers.tell(observer, told -> told.onHedge(waited)))
            .flatMap(waited -> answer(request));
    return Mono.firstWithValue(first, second).onErrorMap(HedgedStore::firstError);
  }

  /** How long it took until a second request could be made. */
  private Mono<Duration> late() {
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

  /** Of the errors of all requests, which come together, that of the first. */
  private static Throwable firstError(Throwable error) {
    Throwable all = error.getCause() == null ? error : error.getCause();
    return Exceptions.unwrapMultiple(all).stream()
        .filter(each -> !(each instanceof NoSuchElementException))
        .findFirst()
        .orElse(error);
  }
}
