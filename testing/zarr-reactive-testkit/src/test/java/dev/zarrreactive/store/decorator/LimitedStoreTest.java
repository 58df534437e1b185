package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.KeyStartValue;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** The budget of a limited store; that it otherwise behaves is in the contract. */
class LimitedStoreTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int RACES = 10_000;

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  @Test
  void requests_under_way_never_exceed_the_limit_over_all_operations_and_subscribers() {
    Store limited = Stores.limited(store, 3);
    store.delay(Duration.ofMillis(1));
    Flux.range(0, 60)
        .flatMap(i -> mixedWork(limited, i).then().subscribeOn(Schedulers.parallel()), 60)
        .then()
        .block(TIMEOUT);
    assertThat(store.counts().maxInFlight()).isEqualTo(3);
    assertThat(store.counts().inFlight()).isZero();
  }

  /** The second thread demands while the first one is in the midst of its own demand. */
  @ParameterizedTest
  @EnumSource(Moment.class)
  void a_listing_emits_what_another_thread_demands_meanwhile(Moment moment) {
    MemoryStore memory = MemoryStore.create();
    for (int i = 0; i < 10; i++) {
      memory.set(key(i), Bytes.EMPTY).block(TIMEOUT);
    }
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    Runnable once = () -> meanwhile.getAndSet(() -> {}).run();
    Store interrupted =
        new DelegatingStore(memory) {
          @Override
          public Flux<StoreKey> list() {
            return moment.interrupt(super.list(), once);
          }
        };
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      AtomicInteger emitted = new AtomicInteger();
      BaseSubscriber<StoreKey> subscriber =
          Stores.limited(interrupted, 3)
              .list()
              .doOnNext(key -> emitted.incrementAndGet())
              .subscribeWith(new Patient());
      meanwhile.set(() -> CompletableFuture.runAsync(() -> subscriber.request(1), other).join());
      subscriber.request(1);
      assertThat(emitted).hasValue(2);
      subscriber.cancel();
    } finally {
      other.shutdownNow();
    }
  }

  private enum Moment {
    REQUEST {
      @Override
      Flux<StoreKey> interrupt(Flux<StoreKey> listing, Runnable meanwhile) {
        meanwhile.run();
        return listing;
      }
    },
    SUBSCRIPTION {
      @Override
      Flux<StoreKey> interrupt(Flux<StoreKey> listing, Runnable meanwhile) {
        return listing.doOnSubscribe(subscription -> meanwhile.run());
      }
    },
    DEMAND {
      @Override
      Flux<StoreKey> interrupt(Flux<StoreKey> listing, Runnable meanwhile) {
        return listing.doOnRequest(n -> meanwhile.run());
      }
    },
    ELEMENT {
      @Override
      Flux<StoreKey> interrupt(Flux<StoreKey> listing, Runnable meanwhile) {
        return listing.doOnNext(key -> meanwhile.run());
      }
    };

    abstract Flux<StoreKey> interrupt(Flux<StoreKey> listing, Runnable meanwhile);
  }

  @Test
  void a_listing_emits_what_two_threads_demand_at_once_and_no_more() throws Exception {
    Store limited = Stores.limited(MemoryStore.create(), 3);
    for (int i = 0; i < 10; i++) {
      limited.set(key(i), Bytes.EMPTY).block(TIMEOUT);
    }
    AtomicIntegerArray emitted = new AtomicIntegerArray(RACES);
    List<BaseSubscriber<StoreKey>> subscribers = new ArrayList<>();
    for (int race = 0; race < RACES; race++) {
      int number = race;
      subscribers.add(
          limited
              .list()
              .doOnNext(key -> emitted.incrementAndGet(number))
              .subscribeWith(new Patient()));
    }
    AtomicInteger mine = new AtomicInteger();
    AtomicInteger others = new AtomicInteger();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<?> demanded = other.submit(() -> demandSideBySide(subscribers, others, mine));
      demandSideBySide(subscribers, mine, others);
      demanded.get();
    } finally {
      other.shutdownNow();
    }
    for (int race = 0; race < RACES; race++) {
      assertThat(emitted.get(race)).as("race %d", race).isEqualTo(2);
      subscribers.get(race).cancel();
    }
  }

  /**
   * Demands a key of each listing, about when the other thread does. A thread that is behind does
   * not hold the other one up: on a busy machine that would take a time slice for each race.
   */
  private static void demandSideBySide(
      List<BaseSubscriber<StoreKey>> subscribers, AtomicInteger done, AtomicInteger doneByOther) {
    for (BaseSubscriber<StoreKey> subscriber : subscribers) {
      for (int spins = 0; spins < 200 && doneByOther.get() < done.get(); spins++) {
        Thread.onSpinWait();
      }
      subscriber.request(1);
      done.incrementAndGet();
    }
  }

  /** Demands nothing by itself. */
  private static final class Patient extends BaseSubscriber<StoreKey> {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {}
  }

  @Test
  void ten_requests_of_a_hundred_milliseconds_two_at_a_time_take_half_a_second() {
    StepVerifier.withVirtualTime(
            () -> {
              store.delay(Duration.ofMillis(100));
              Store limited = Stores.limited(store, 2);
              return Flux.range(0, 10).flatMap(i -> limited.get(key(i)), 10);
            })
        .thenAwait(Duration.ofMillis(499))
        .then(() -> assertThat(store.counts().completed()).isEqualTo(8))
        .thenAwait(Duration.ofMillis(1))
        .verifyComplete();
    assertThat(store.counts().completed()).isEqualTo(10);
  }

  @Test
  void requests_are_served_in_their_order() {
    Store limited = Stores.limited(store, 1);
    HeldRequests held = store.hold(request -> true);
    for (int i = 0; i < 20; i++) {
      limited.get(key(i)).subscribe();
    }
    assertThat(store.counts().total()).isEqualTo(1);
    held.release();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(i -> "a/" + i).toList());
  }

  @Test
  void a_permit_comes_back_when_its_request_completes_fails_or_is_cancelled() {
    Store limited = Stores.limited(store, 1);
    for (Publisher<?> request : everyRequest(limited)) {
      Flux.from(request).blockLast(TIMEOUT);
      store.fail(any -> true, () -> new IllegalStateException("broken"));
      assertThatThrownBy(() -> Flux.from(request).blockLast(TIMEOUT)).hasMessage("broken");
      store.behave();
      HeldRequests held = store.hold(any -> true);
      Disposable given = Flux.from(request).subscribe();
      assertThat(held.waiting()).as("%s", request).isEqualTo(1);
      given.dispose();
      assertThat(held.waiting()).as("%s", request).isZero();
      store.behave();
      limited.get(key(0)).block(TIMEOUT);
    }
  }

  @Test
  void a_permit_comes_back_before_the_result_is_handed_on() {
    Store limited = Stores.limited(store, 1);
    store.set(key(0), Bytes.EMPTY).then(store.set(key(1), Bytes.EMPTY)).block(TIMEOUT);
    assertThat(limited.get(key(0)).flatMap(value -> limited.get(key(1))).block(TIMEOUT))
        .isNotNull();
    assertThat(limited.get(key(0)).map(value -> limited.get(key(1)).block(TIMEOUT)).block(TIMEOUT))
        .isNotNull();
  }

  @Test
  void a_request_cancelled_in_the_queue_never_reaches_the_store_and_lets_the_next_pass() {
    Store limited = Stores.limited(store, 1);
    HeldRequests held = store.hold(request -> true);
    limited.get(key(0)).subscribe();
    Disposable impatient = limited.get(key(1)).subscribe();
    limited.get(key(2)).subscribe();
    impatient.dispose();
    held.release();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactly("a/0", "a/2");
  }

  @Test
  void each_range_of_a_batch_takes_a_permit() {
    Store limited = Stores.limited(store, 2);
    store.set(key(0), Bytes.utf8("0123456789")).block(TIMEOUT);
    store.counts().reset();
    HeldRequests held = store.hold(request -> true);
    limited.getPartialValues(ranges(10)).subscribe();
    assertThat(held.waiting()).isEqualTo(2);
    held.release();
    assertThat(store.counts().total(StoreOperation.GET_RANGE)).isEqualTo(10);
    assertThat(store.counts().maxInFlight()).isEqualTo(2);
  }

  @Test
  void keys_to_erase_may_come_from_the_same_store_and_take_as_long_as_they_like() {
    Store limited = Stores.limited(store, 1);
    Sinks.Many<StoreKey> keys = Sinks.many().unicast().onBackpressureBuffer();
    Disposable erasing = limited.eraseValues(keys.asFlux()).subscribe();
    keys.tryEmitNext(key(0));
    limited.set(key(1), Bytes.EMPTY).block(TIMEOUT);
    limited.eraseValues(limited.list()).block(TIMEOUT);
    assertThat(limited.list().collectList().block(TIMEOUT)).isEmpty();
    erasing.dispose();
  }

  @Test
  void a_listing_whose_keys_are_read_one_by_one_does_not_wait_for_itself() {
    Store limited = Stores.limited(store, 1);
    for (int i = 0; i < 50; i++) {
      limited.set(key(i), Bytes.utf8("" + i)).block(TIMEOUT);
    }
    assertThat(limited.list().concatMap(limited::get).count().block(TIMEOUT)).isEqualTo(50);
    assertThat(limited.list().flatMap(limited::get).count().block(TIMEOUT)).isEqualTo(50);
  }

  @Test
  void a_listing_takes_a_permit_until_its_first_element() {
    Store limited = Stores.limited(store, 1);
    store.set(key(0), Bytes.EMPTY).then(store.set(key(1), Bytes.EMPTY)).block(TIMEOUT);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.LIST);
    StepVerifier.create(limited.list(), 1)
        .then(() -> limited.get(key(0)).subscribe())
        .then(() -> assertThat(store.counts().total(StoreOperation.GET)).isZero())
        .then(held::release)
        .expectNextCount(1)
        .then(() -> assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(1))
        .thenCancel()
        .verify(TIMEOUT);
  }

  @Test
  void a_listing_without_demand_holds_no_permit() {
    Store limited = Stores.limited(store, 1);
    limited.set(key(0), Bytes.EMPTY).block(TIMEOUT);
    StepVerifier.create(limited.list(), 0)
        .expectSubscription()
        .then(() -> limited.get(key(0)).block(TIMEOUT))
        .thenRequest(1)
        .expectNext(key(0))
        .then(() -> limited.get(key(0)).block(TIMEOUT))
        .expectComplete()
        .verify(TIMEOUT);
  }

  @Test
  void a_limit_must_let_something_through() {
    assertThatThrownBy(() -> Stores.limited(store, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_hundred_thousand_waiters_are_served_without_a_deep_stack() {
    Store limited = Stores.limited(MemoryStore.create(), 1);
    assertThat(
            Flux.range(0, 100_000)
                .flatMap(i -> limited.get(key(0)).thenReturn(i), 100_000)
                .count()
                .block(TIMEOUT))
        .isEqualTo(100_000);
  }

  private static Flux<?> mixedWork(Store limited, int i) {
    return Flux.concat(
        limited.set(key(i), Bytes.utf8("0123456789")),
        limited.getPartialValues(
            List.of(
                new KeyRange(key(i), new ByteRange.From(1)),
                new KeyRange(key(i), new ByteRange.Suffix(2)))),
        limited.get(key(i)).timeout(Duration.ofMillis(i % 2 == 0 ? 2 : 5000), Mono.empty()),
        limited.erase(key(i)));
  }

  private static List<Publisher<?>> everyRequest(Store limited) {
    return List.of(
        limited.get(key(0)),
        limited.get(key(0), new ByteRange.From(0)),
        limited.getPartialValues(ranges(1)),
        limited.set(key(1), Bytes.EMPTY),
        limited.setPartialValues(List.of(new KeyStartValue(key(1), 0, Bytes.EMPTY))),
        limited.erase(key(1)),
        limited.eraseValues(Flux.just(key(1))),
        limited.erasePrefix(StorePrefix.of("b/")),
        limited.list(),
        limited.listPrefix(StorePrefix.of("a/")),
        limited.listDir(StorePrefix.ROOT));
  }

  private static List<KeyRange> ranges(int count) {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ranges.add(new KeyRange(key(0), new ByteRange.Suffix(i)));
    }
    return ranges;
  }

  private static StoreKey key(int i) {
    return StoreKey.of("a/" + i);
  }

  /** The store demands a piece while the next one waits for the permit of another upload. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void uploads_side_by_side_take_turns(int permits, @TempDir Path directory) {
    Store files = Stores.limited(FileSystemStore.open(directory), permits);
    Flux<Bytes> pieces =
        Flux.range(0, 20)
            .concatMap(i -> Mono.just(Bytes.utf8("piece")).subscribeOn(Schedulers.parallel()));
    Flux.range(0, 10)
        .flatMap(i -> files.set(key(i), pieces, Precondition.NONE))
        .then()
        .block(TIMEOUT);
    assertThat(files.get(key(9)).block(TIMEOUT).size()).isEqualTo(100);
  }
}
