package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class StoredValueCacheTest {
  private static final StoredValueCache.CacheKey KEY =
      new StoredValueCache.CacheKey(StoreKey.of("c/0"), null);

  private final StoredValueCache reads =
      new StoredValueCache(CacheOptions.ofBytes(0), System::nanoTime);

  @Test
  void concurrent_subscribers_and_cancels_leave_no_request_and_cancel_none_that_is_waited_for() {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    Mono<VersionedBytes> request =
        Mono.delay(Duration.ofNanos(20_000))
            .thenReturn(new VersionedBytes(Bytes.EMPTY, null))
            .doOnSubscribe(
                begun -> {
                  asked.incrementAndGet();
                  underWay.incrementAndGet();
                })
            .doFinally(end -> underWay.decrementAndGet());
    Long answered =
        Flux.range(0, 20_000)
            .flatMap(
                i ->
                    (i % 2 == 0
                            ? reads.read(KEY, ReadCondition.ALWAYS, condition -> request)
                            : reads
                                .read(KEY, ReadCondition.ALWAYS, condition -> request)
                                .takeUntilOther(Mono.delay(Duration.ofNanos(i % 30 * 1000L))))
                        .filter(bytes -> i % 2 == 0)
                        .subscribeOn(Schedulers.parallel()),
                64)
            .count()
            .block(Duration.ofSeconds(60));
    assertThat(answered).isEqualTo(10_000);
    // who cancels is told of the end before the request is
    Flux.interval(Duration.ofMillis(1))
        .filter(tick -> underWay.get() == 0 && reads.underWay() == 0)
        .blockFirst(Duration.ofSeconds(60));
    assertThat(asked.get()).isLessThan(20_000);
    assertThat(reads.counts().entries()).isZero();
  }

  @Test
  void a_cancel_before_the_request_prevents_it() {
    AtomicInteger asked = new AtomicInteger();
    Mono<VersionedBytes> read =
        reads.read(
            KEY,
            ReadCondition.ALWAYS,
            condition -> {
              asked.incrementAndGet();
              return Mono.never();
            });
    for (int i = 0; i < 100; i++) {
      read.flux().take(0).blockLast(Duration.ofSeconds(1));
      read.takeUntilOther(Mono.just(1)).block(Duration.ofSeconds(1));
    }
    assertThat(reads.underWay()).isZero();
    assertThat(asked).hasValue(0);
  }
}
