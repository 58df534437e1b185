package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.AttemptShield;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.KeyRange;
import dev.zarrreactive.store.PartialValue;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

/** When requests are repeated, how long that takes, and when they are not; in virtual time. */
class RetryingStoreTest {
  private static final StoreKey KEY = StoreKey.of("a");
  private static final Bytes VALUE = Bytes.utf8("value");
  private static final RetryOptions OPTIONS = RetryOptions.defaults();

  private final VirtualTime time = new VirtualTime();
  private final Scheduler timer = time.scheduler();
  private final Failing failing = new Failing();

  /** Fails as often as there are errors; the moments of its requests are kept. */
  private final class Failing extends DelegatingStore {
    final Deque<StoreException> errors = new ArrayDeque<>();
    final List<Long> requests = new ArrayList<>();
    Duration answerAfter = Duration.ZERO;

    Failing() {
      super(MemoryStore.create());
      super.set(KEY, VALUE, Precondition.NONE).block();
    }

    private <T> Mono<T> request(Mono<T> request) {
      return Mono.defer(
          () -> {
            requests.add(timer.now(TimeUnit.MILLISECONDS));
            StoreException error = errors.poll();
            Mono<T> answer = error == null ? request : Mono.error(error);
            return answerAfter.isZero() ? answer : Mono.delay(answerAfter, timer).then(answer);
          });
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return request(super.get(key));
    }

    @Override
    public Mono<Bytes> get(StoreKey key, ByteRange range) {
      return request(super.get(key, range));
    }

    @Override
    public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
      return request(super.set(key, value, precondition));
    }

    @Override
    public Flux<StoreKey> list() {
      return request(super.list().collectList()).flatMapIterable(keys -> keys);
    }
  }

  private Store retrying(RetryOptions options) {
    return new RetryingStore(failing, options, timer);
  }

  private static TransientStoreException passing() {
    return new TransientStoreException("answered 503", Location.ofKey("a"));
  }

  private void failTimes(int times) {
    for (int i = 0; i < times; i++) {
      failing.errors.add(passing());
    }
  }

  private void assertValue(Duration after, Mono<Bytes> request, Bytes value) {
    assertThat(time.after(after, request)).isNotNull().returns(value, Signal::get);
  }

  private void assertError(Duration after, Mono<?> request, Class<? extends Throwable> kind) {
    Signal<?> signal = time.after(after, request);
    assertThat(signal).isNotNull();
    assertThat(signal.getThrowable()).isInstanceOf(kind);
  }

  @Test
  void what_fails_and_may_pass_is_repeated_after_waits_that_grow() {
    failTimes(5);
    assertValue(Duration.ofMinutes(1), retrying(OPTIONS).get(KEY), VALUE);
    assertThat(failing.requests).hasSize(6);
    long most = 100;
    for (int i = 1; i < 6; i++) {
      long wait = failing.requests.get(i) - failing.requests.get(i - 1);
      assertThat(wait).as("wait %d", i).isBetween(most / 2, most);
      most *= 2;
    }
  }

  @Test
  void ranges_and_many_of_them_are_repeated() {
    failTimes(1);
    assertValue(
        Duration.ofSeconds(1),
        retrying(OPTIONS).get(KEY, new ByteRange.Suffix(2)),
        Bytes.utf8("ue"));
    failTimes(2);
    KeyRange range = new KeyRange(KEY, new ByteRange.From(0));
    Signal<List<PartialValue>> parts =
        time.after(
            Duration.ofSeconds(5),
            retrying(OPTIONS).getPartialValues(List.of(range, range)).collectList());
    assertThat(parts).isNotNull();
    assertThat(parts.get()).hasSize(2);
  }

  @Test
  void a_missing_value_is_an_answer() {
    failTimes(1);
    assertThat(time.after(Duration.ofSeconds(1), retrying(OPTIONS).get(StoreKey.of("missing"))))
        .isNotNull()
        .matches(Signal::isOnComplete);
    assertThat(failing.requests).hasSize(2);
  }

  @Test
  void attempts_come_to_an_end() {
    failTimes(100);
    assertError(
        Duration.ofMinutes(1),
        retrying(OPTIONS.withAttempts(3)).get(KEY),
        TransientStoreException.class);
    assertThat(failing.requests).hasSize(3);
  }

  @Test
  void a_probe_asks_once() {
    failTimes(100);
    assertError(
        Duration.ofMinutes(1),
        retrying(OPTIONS).get(KEY).contextWrite(RetryOptions::once),
        TransientStoreException.class);
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void what_will_not_pass_is_not_repeated() {
    failing.errors.add(new AccessDeniedException("answered 403", Location.ofKey("a")));
    assertError(Duration.ZERO, retrying(OPTIONS).get(KEY), AccessDeniedException.class);
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void no_retry_comes_before_the_time_that_the_server_asks_for() {
    failing.errors.add(
        new TransientStoreException("503", Location.ofKey("a"), Duration.ofSeconds(20)));
    assertThat(time.after(Duration.ofMillis(19_999), retrying(OPTIONS).get(KEY))).isNull();
    assertThat(failing.requests).hasSize(1);
    time.pass(Duration.ofMillis(1));
    assertThat(failing.requests).hasSize(2);
  }

  @Test
  void a_time_beyond_the_deadline_is_not_waited_for() {
    failing.errors.add(new TransientStoreException("503", Location.ofKey("a"), Duration.ofDays(1)));
    Signal<Bytes> signal = time.after(Duration.ZERO, retrying(OPTIONS).get(KEY));
    assertThat(signal).isNotNull();
    assertThat(signal.getThrowable())
        .isInstanceOfSatisfying(
            TransientStoreException.class,
            error -> assertThat(error.retryAfter()).isEqualTo(Duration.ofDays(1)))
        .hasMessageContaining("503; the server wants no retry for 1 day, which is beyond the")
        .hasMessageContaining("deadline of 1 minute (RetryOptions.withDeadline)")
        .hasMessageContaining("key a");
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void a_request_that_is_not_answered_ends_at_its_deadline() {
    failing.answerAfter = Duration.ofHours(1);
    Mono<Bytes> read = retrying(OPTIONS.withDeadline(Duration.ofSeconds(7))).get(KEY);
    assertThat(time.after(Duration.ofMillis(6_999), read)).isNull();
    Signal<Bytes> signal = time.after(Duration.ofSeconds(7), read);
    assertThat(signal).isNotNull();
    assertThat(signal.getThrowable())
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("the deadline of 7 s")
        .hasMessageContaining("key a");
  }

  @Test
  void all_requests_share_a_budget_that_answers_fill_up() {
    Store store = retrying(OPTIONS.withBudget(2).withAttempts(2));
    failTimes(4);
    for (int i = 0; i < 2; i++) {
      assertError(Duration.ofSeconds(1), store.get(KEY), TransientStoreException.class);
    }
    assertThat(failing.requests).hasSize(4);
    failTimes(1);
    assertError(Duration.ZERO, store.get(KEY), TransientStoreException.class);
    assertThat(failing.requests).hasSize(5);
    for (int i = 0; i < 10; i++) {
      assertValue(Duration.ZERO, store.get(KEY), VALUE);
    }
    failTimes(1);
    assertValue(Duration.ofSeconds(1), store.get(KEY), VALUE);
  }

  @Test
  void a_plain_write_is_repeated_and_one_on_condition_is_not() {
    failTimes(1);
    assertThat(time.after(Duration.ofSeconds(1), retrying(OPTIONS).set(KEY, Bytes.EMPTY)))
        .isNotNull()
        .matches(Signal::isOnComplete);
    assertThat(failing.requests).hasSize(2);
    failTimes(1);
    assertError(
        Duration.ZERO,
        retrying(OPTIONS).set(StoreKey.of("b"), VALUE, Precondition.ABSENT),
        TransientStoreException.class);
    assertError(
        Duration.ZERO,
        retrying(OPTIONS).set(KEY, VALUE, Precondition.ABSENT),
        PreconditionFailedException.class);
  }

  @Test
  void a_listing_is_repeated_as_long_as_nothing_of_it_was_handed_on() {
    failTimes(2);
    Signal<List<StoreKey>> keys =
        time.after(Duration.ofSeconds(1), retrying(OPTIONS).list().collectList());
    assertThat(keys).isNotNull().returns(List.of(KEY), Signal::get);
    Store cut =
        new DelegatingStore(failing) {
          @Override
          public Flux<StoreKey> list() {
            return Flux.just(KEY).concatWith(Flux.error(passing()));
          }
        };
    StepVerifier.create(new RetryingStore(cut, OPTIONS, timer).list())
        .expectNext(KEY)
        .verifyError(TransientStoreException.class);
  }

  @Test
  void a_cancel_ends_the_waiting() {
    failTimes(1);
    Disposable read = retrying(OPTIONS).get(KEY).subscribe();
    read.dispose();
    time.pass(Duration.ofMinutes(5));
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void a_time_out_of_the_store_itself_stays_as_it_is() {
    TimeoutException own = new TimeoutException("of the store");
    Store store =
        new DelegatingStore(failing) {
          @Override
          public Mono<Bytes> get(StoreKey key) {
            return Mono.error(own);
          }
        };
    Signal<Bytes> signal =
        time.after(Duration.ofMinutes(2), new RetryingStore(store, OPTIONS, timer).get(KEY));
    assertThat(signal).isNotNull();
    assertThat(Exceptions.unwrap(signal.getThrowable())).isSameAs(own);
  }

  @Test
  void after_the_cancel_of_a_shielded_write_no_attempt_is_begun() {
    failing.errors.add(
        new TransientStoreException("503", Location.ofKey("a"), Duration.ofSeconds(5)));
    AttemptShield shield = new AttemptShield();
    Mono<Void> shielded = shield.shield(retrying(OPTIONS).set(KEY, Bytes.EMPTY));
    AtomicReference<Throwable> end = new AtomicReference<>();
    shielded.subscribe(done -> {}, end::set);
    assertThat(failing.requests).hasSize(1);
    shield.cancel();
    assertThat(end.get()).as("the back-off is over").isInstanceOf(CancellationException.class);
    time.pass(Duration.ofMinutes(5));
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void an_attempt_of_a_shielded_write_that_fails_after_the_cancel_is_the_last() {
    failTimes(1);
    failing.answerAfter = Duration.ofSeconds(90); // later than the deadline
    AttemptShield shield = new AttemptShield();
    AtomicReference<Throwable> end = new AtomicReference<>();
    shield.shield(retrying(OPTIONS).set(KEY, Bytes.EMPTY)).subscribe(done -> {}, end::set);
    time.pass(Duration.ofSeconds(1));
    shield.cancel();
    time.pass(Duration.ofSeconds(88));
    assertThat(end.get()).as("the attempt goes on beyond the deadline").isNull();
    time.pass(Duration.ofMinutes(5));
    assertThat(end.get()).isNotNull();
    assertThat(failing.requests).hasSize(1);
  }

  @Test
  void options_that_make_no_sense_are_refused() {
    assertThatThrownBy(() -> OPTIONS.withAttempts(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withBudget(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OPTIONS.withDeadline(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
