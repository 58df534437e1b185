package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class KeyLocksTest {
  private static final StoreKey KEY = StoreKey.of("a/c/0");

  private final Store store = MemoryStore.create();
  private final List<String> log = new ArrayList<>();

  /** Work that begins when its turn comes and ends when the test says so. */
  private final class Work {
    private final Sinks.Empty<Void> end = Sinks.empty();
    private final Disposable subscription;

    Work(String name) {
      subscription =
          KeyLocks.exclusively(
                  store, KEY, turn -> end.asMono().doOnSubscribe(s -> log.add(name + " begins")))
              .subscribe(v -> {}, e -> log.add(name + " fails"), () -> log.add(name + " ends"));
    }
  }

  @AfterEach
  void nothing_is_left_locked() {
    assertThat(KeyLocks.lockedKeys()).isZero();
  }

  @Test
  void work_on_one_key_is_done_one_after_another_in_the_order_of_coming() {
    Work a = new Work("a");
    Work b = new Work("b");
    Work c = new Work("c");
    assertThat(log).containsExactly("a begins");
    a.end.tryEmitEmpty();
    assertThat(log).containsExactly("a begins", "b begins", "a ends");
    b.end.tryEmitEmpty();
    c.end.tryEmitEmpty();
    assertThat(log)
        .containsExactly("a begins", "b begins", "a ends", "c begins", "b ends", "c ends");
  }

  @Test
  void other_keys_and_other_stores_do_not_wait() {
    Work a = new Work("a");
    StepVerifier.create(KeyLocks.exclusively(store, StoreKey.of("a/c/1"), turn -> Mono.just(1)))
        .expectNext(1)
        .verifyComplete();
    StepVerifier.create(KeyLocks.exclusively(MemoryStore.create(), KEY, turn -> Mono.just(2)))
        .expectNext(2)
        .verifyComplete();
    a.end.tryEmitEmpty();
  }

  @Test
  void an_error_ends_the_turn() {
    Work a = new Work("a");
    Work b = new Work("b");
    a.end.tryEmitError(new IllegalStateException());
    assertThat(log).containsExactly("a begins", "b begins", "a fails");
    b.end.tryEmitEmpty();
  }

  @Test
  void a_write_cancelled_in_the_queue_never_begins() {
    Work a = new Work("a");
    Work b = new Work("b");
    Work c = new Work("c");
    b.subscription.dispose();
    assertThat(log).containsExactly("a begins");
    a.end.tryEmitEmpty();
    c.end.tryEmitEmpty();
    assertThat(log).containsExactly("a begins", "c begins", "a ends", "c ends");
  }

  @Test
  void a_write_cancelled_at_work_passes_the_lock_on() {
    Work a = new Work("a");
    Work b = new Work("b");
    a.subscription.dispose();
    assertThat(log).containsExactly("a begins", "b begins");
    b.end.tryEmitEmpty();
  }

  @Test
  void a_write_cancelled_before_the_queue_does_not_disturb_others() {
    Work a = new Work("a");
    Work b = new Work("b");
    KeyLocks.exclusively(store, KEY, turn -> Mono.fromRunnable(() -> log.add("never")))
        .subscribe(
            new BaseSubscriber<Object>() {
              @Override
              protected void hookOnSubscribe(Subscription subscription) {
                cancel();
              }
            });
    assertThat(log).containsExactly("a begins");
    a.end.tryEmitEmpty();
    b.end.tryEmitEmpty();
    assertThat(log).containsExactly("a begins", "b begins", "a ends", "b ends");
  }

  @Test
  void a_write_cancelled_while_it_computes_stores_nothing() throws Exception {
    Scheduler computing = Schedulers.newBoundedElastic(1, 1, "computing");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch computed = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Disposable cancelled =
        KeyLocks.exclusively(
                store,
                KEY,
                turn ->
                    Mono.just("old")
                        .publishOn(computing)
                        .map(
                            old -> {
                              begun.countDown();
                              awaitAlthoughInterrupted(computed);
                              return "new";
                            })
                        .flatMap(
                            value ->
                                turn.store(
                                    Mono.<Void>create( // asks before it hears of the cancel
                                        sink -> {
                                          log.add("stored");
                                          sink.success();
                                        }))))
            .doOnSuccess(done -> log.add("said to be stored"))
            .subscribe();
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    Work b = new Work("b");
    cancelled.dispose();
    assertThat(log).containsExactly("b begins");
    computed.countDown();
    computing.schedule(ended::countDown);
    assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(log).containsExactly("b begins");
    b.end.tryEmitEmpty();
    computing.dispose();
  }

  /** A write that takes {@code time} on the store, which does not hear of a cancel. */
  private Disposable write(String name, Duration time, VirtualTimeScheduler clock) {
    return KeyLocks.exclusively(
            store,
            KEY,
            clock,
            turn ->
                turn.store(
                    Mono.delay(time, clock)
                        .doOnCancel(() -> log.add(name + " is cancelled"))
                        .doOnNext(t -> log.add(name + " lands"))
                        .then()))
        .subscribe(v -> {}, e -> log.add(name + ": " + e), () -> log.add(name + " is stored"));
  }

  @Test
  void a_writer_cancelled_just_before_its_request_gives_the_turn_on() {
    BaseSubscriber<Integer> cancelled = new BaseSubscriber<>() {};
    KeyLocks.exclusively(
            store,
            KEY,
            turn -> turn.store(Mono.just(1)).doOnSubscribe(request -> cancelled.cancel()))
        .subscribe(cancelled);
    StepVerifier.create(KeyLocks.exclusively(store, KEY, turn -> turn.store(Mono.just(2))))
        .expectNext(2)
        .expectComplete()
        .verify(Duration.ofMinutes(1));
  }

  @Test
  void a_cancelled_write_lands_before_the_next_one_begins() {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    Disposable first = write("first", Duration.ofSeconds(14), clock);
    clock.advanceTimeBy(Duration.ofSeconds(1));
    first.dispose();
    write("second", Duration.ofSeconds(2), clock);
    clock.advanceTimeBy(Duration.ofSeconds(12));
    assertThat(log).as("the second waits").isEmpty();
    clock.advanceTimeBy(Duration.ofMinutes(20));
    assertThat(log).containsExactly("first lands", "second lands", "second is stored");
  }

  @Test
  void a_write_past_its_deadline_lands_before_the_next_one_begins() {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    Duration deadline = Duration.ofSeconds(10);
    Mono<Void> request =
        Mono.deferContextual(
            subscriber -> {
              Mono<Long> attempt = Mono.delay(Duration.ofSeconds(14), clock);
              Mono<Long> late =
                  Mono.delay(deadline, clock)
                      .filter(time -> !AttemptShield.tryExpire(subscriber, () -> TOO_LATE))
                      .switchIfEmpty(Mono.never());
              return Mono.firstWithSignal(attempt.doOnNext(t -> log.add("first lands")), late)
                  .then();
            });
    KeyLocks.exclusively(store, KEY, clock, turn -> turn.store(request))
        .subscribe(v -> {}, e -> log.add("first: " + e.getMessage()));
    clock.advanceTimeBy(deadline);
    assertThat(log).containsExactly("first: too late");
    write("second", Duration.ofSeconds(2), clock);
    clock.advanceTimeBy(Duration.ofMinutes(20));
    assertThat(log.subList(1, 4))
        .containsExactly("first lands", "second lands", "second is stored");
  }

  private static final IllegalStateException TOO_LATE = new IllegalStateException("too late");

  @Test
  void writers_behind_a_cancelled_write_that_does_not_end_get_an_error_until_it_has_ended() {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    Disposable first = write("first", Duration.ofMinutes(5), clock);
    first.dispose();
    write("second", Duration.ofSeconds(2), clock);
    clock.advanceTimeBy(Duration.ofSeconds(59));
    assertThat(log).isEmpty();
    clock.advanceTimeBy(Duration.ofSeconds(2));
    write("third", Duration.ofSeconds(2), clock);
    assertThat(log).hasSize(2);
    assertThat(log.get(0))
        .startsWith("second: " + TransientStoreException.class.getName())
        .contains("has not answered it within 1 minute")
        .contains(KEY.value());
    assertThat(log.get(1)).startsWith("third: ").contains("It may still replace the stored value");
    clock.advanceTimeBy(Duration.ofMinutes(4));
    write("fourth", Duration.ofSeconds(2), clock);
    clock.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(log.subList(2, 5))
        .containsExactly("first lands", "fourth lands", "fourth is stored");
  }

  @Test
  void a_write_that_never_ends_is_cancelled_and_a_minute_later_its_key_is_free() {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    Disposable first = write("first", Duration.ofDays(1), clock);
    first.dispose();
    clock.advanceTimeBy(Duration.ofMinutes(9));
    assertThat(log).isEmpty();
    clock.advanceTimeBy(Duration.ofMinutes(1));
    assertThat(log).containsExactly("first is cancelled");
    clock.advanceTimeBy(Duration.ofSeconds(59));
    write("second", Duration.ofSeconds(2), clock);
    assertThat(log.get(1))
        .startsWith("second: " + TransientStoreException.class.getName())
        .contains("11 minutes after the cancel the key is free again");
    clock.advanceTimeBy(Duration.ofSeconds(1));
    write("third", Duration.ofSeconds(2), clock);
    clock.advanceTimeBy(Duration.ofSeconds(2));
    assertThat(log.subList(2, 4)).containsExactly("third lands", "third is stored");
  }

  @Test
  void the_store_of_a_write_that_never_ends_is_forgotten_with_its_key() throws Exception {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    WeakReference<Object> held = new WeakReference<>(neverAnswered(clock));
    assertThat(KeyLocks.lockedKeys()).isEqualTo(1);
    clock.advanceTimeBy(Duration.ofMinutes(11));
    assertThat(KeyLocks.lockedKeys()).isZero();
    for (int i = 0; i < 100 && held.get() != null; i++) {
      System.gc();
      Thread.sleep(20);
    }
    assertThat(held.get()).isNull();
  }

  /** Returns a store whose write was cancelled and is never answered. */
  private static Object neverAnswered(VirtualTimeScheduler clock) {
    Object another = new Object();
    KeyLocks.exclusively(another, KEY, clock, turn -> turn.store(Mono.never()))
        .subscribe()
        .dispose();
    return another;
  }

  @Test
  void an_answer_between_the_cancel_of_a_request_and_its_end_frees_the_key_once() {
    VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    Disposable first = write("first", Duration.ofMinutes(10).plusSeconds(30), clock);
    first.dispose();
    clock.advanceTimeBy(Duration.ofMinutes(10).plusSeconds(50));
    assertThat(log).containsExactly("first is cancelled");
    clock.advanceTimeBy(Duration.ofSeconds(10));
    write("second", Duration.ofMinutes(2), clock);
    write("third", Duration.ofSeconds(1), clock);
    clock.advanceTimeBy(Duration.ofMinutes(3));
    assertThat(log.subList(1, 5))
        .containsExactly("second lands", "second is stored", "third lands", "third is stored");
  }

  @Test
  void thousands_of_writers_that_wait_for_one_key_are_no_recursion() {
    Work first = new Work("first");
    AtomicInteger done = new AtomicInteger();
    int writers = 100_000;
    for (int i = 0; i < writers; i++) {
      KeyLocks.exclusively(store, KEY, turn -> turn.store(Mono.empty()))
          .subscribe(v -> {}, e -> log.add("fails: " + e), done::incrementAndGet);
    }
    first.end.tryEmitEmpty();
    assertThat(done).hasValue(writers);
    assertThat(log).containsExactly("first begins", "first ends");
  }

  private static void awaitAlthoughInterrupted(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // a library that computes does not hear of it either
      }
    }
  }

  @Test
  void no_cancel_lets_a_write_overwrite_that_of_another_writer() throws Exception {
    Scheduler workers = Schedulers.newParallel("work", 4, true);
    Scheduler cancellers = Schedulers.newParallel("cancel", 2, true);
    int writers = 5_000;
    CountDownLatch ended = new CountDownLatch(writers);
    AtomicInteger completed = new AtomicInteger();
    Value value = new Value();
    Random random = new Random(7);
    for (int i = 0; i < writers; i++) {
      int micros = random.nextInt(100);
      Disposable writer =
          KeyLocks.exclusively(
                  store,
                  KEY,
                  turn ->
                      Mono.fromSupplier(() -> value.stored)
                          .delayElement(Duration.ofNanos(1_000L * (micros % 7)), workers)
                          .flatMap(old -> turn.store(Mono.fromRunnable(() -> value.add(old, 1)))))
              .doOnSuccess(done -> completed.incrementAndGet())
              .subscribeOn(workers)
              .doFinally(signal -> ended.countDown())
              .subscribe();
      if (i % 2 == 0) {
        cancellers.schedule(writer::dispose, micros, TimeUnit.MICROSECONDS);
      }
    }
    assertThat(ended.await(30, TimeUnit.SECONDS)).as("everybody ended").isTrue();
    assertThat(value.lost).as("additions to a value that was out of date").hasValue(0);
    assertThat(value.stored).isGreaterThanOrEqualTo(completed.get());
    workers.dispose();
    cancellers.dispose();
  }

  @Test
  void a_cancel_at_any_moment_leaves_no_key_locked() {
    Scheduler workers = Schedulers.newParallel("work", 2, true);
    AtomicInteger pause = new AtomicInteger();
    for (int i = 0; i < 20_000; i++) {
      int number = i;
      Disposable writer =
          KeyLocks.exclusively(
                  store,
                  StoreKey.of("a/c/" + number),
                  turn -> Mono.just(number).flatMap(old -> turn.store(Mono.just(old))))
              .subscribeOn(workers)
              .subscribe();
      for (int j = 0; j < 5 * (i % 400); j++) {
        pause.incrementAndGet(); // lets the writer come to another place each time
      }
      writer.dispose();
    }
    // a writer of each key gets its turn, and leaves none behind
    Flux.range(0, 20_000)
        .concatMap(i -> KeyLocks.exclusively(store, StoreKey.of("a/c/" + i), turn -> Mono.just(i)))
        .blockLast(Duration.ofMinutes(1));
    workers.dispose();
  }

  private static final class Value {
    private volatile int stored;
    private final AtomicInteger lost = new AtomicInteger();

    void add(int old, int more) {
      if (old != stored) {
        lost.incrementAndGet();
      }
      stored = old + more;
    }
  }
}
