package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Scheduler;

/** When a second request is made, and how few of them; in virtual time. */
class HedgedStoreTest {
  private static final StoreKey KEY = StoreKey.of("a");
  private static final Bytes VALUE = Bytes.utf8("value");
  private static final Duration USUAL = Duration.ofMillis(50);
  private static final Duration NEVER = Duration.ofDays(1);

  private final VirtualTime time = new VirtualTime();
  private final Scheduler timer = time.scheduler();
  private final Slow slow = new Slow();
  private final Store hedged = new HedgedStore(slow, HedgeOptions.defaults(), timer);

  private final class Slow extends DelegatingStore {
    final Deque<Duration> delays = new ArrayDeque<>();
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    boolean fails;

    Slow() {
      super(MemoryStore.create());
      super.set(KEY, VALUE, Precondition.NONE).block();
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.defer(
          () -> {
            requests.incrementAndGet();
            Duration delay = delays.isEmpty() ? USUAL : delays.poll();
            Mono<Bytes> answer =
                fails
                    ? Mono.error(new TransientStoreException("503", Location.ofKey("a")))
                    : super.get(key);
            return Mono.delay(delay, timer).then(answer).doOnCancel(cancelled::incrementAndGet);
          });
    }
  }

  private void answerUsually(int times) {
    for (int i = 0; i < times; i++) {
      assertValueAfter(USUAL);
    }
  }

  private void assertValueAfter(Duration wait) {
    assertThat(time.after(wait, hedged.get(KEY))).isNotNull().returns(VALUE, Signal::get);
  }

  private void assertErrorAfter(Duration wait) {
    Signal<Bytes> signal = time.after(wait, hedged.get(KEY));
    assertThat(signal).isNotNull();
    assertThat(signal.getThrowable()).isInstanceOf(TransientStoreException.class);
  }

  @Test
  void a_late_request_is_hedged_and_the_loser_is_cancelled() {
    answerUsually(20);
    slow.delays.add(NEVER);
    assertThat(time.after(USUAL.multipliedBy(3).minusMillis(1), hedged.get(KEY))).isNull();
    time.pass(Duration.ofMillis(1));
    assertThat(slow.requests).hasValue(22);
    assertThat(slow.cancelled).hasValue(1);
  }

  @Test
  void a_missing_value_ends_it_too() {
    answerUsually(20);
    slow.delays.add(NEVER);
    assertThat(time.after(USUAL.multipliedBy(3), hedged.get(StoreKey.of("missing"))))
        .isNotNull()
        .matches(Signal::isOnComplete);
  }

  @Test
  void the_first_may_still_win() {
    answerUsually(20);
    slow.delays.add(Duration.ofMillis(110));
    slow.delays.add(NEVER);
    assertValueAfter(Duration.ofMillis(110));
    assertThat(slow.cancelled).hasValue(1);
  }

  @Test
  void before_enough_is_known_there_is_one_request() {
    answerUsually(19);
    slow.delays.add(Duration.ofSeconds(9));
    assertValueAfter(Duration.ofSeconds(9));
    assertThat(slow.requests).hasValue(20);
  }

  @Test
  void what_was_asked_before_enough_was_known_is_late_too() {
    slow.delays.add(NEVER);
    assertThat(time.after(Duration.ZERO, hedged.get(KEY))).isNull();
    answerUsually(19);
    assertThat(slow.requests).hasValue(20);
    answerUsually(1);
    assertThat(slow.cancelled).hasValue(0);
    time.pass(Duration.ofSeconds(1));
    assertThat(slow.requests).hasValue(22);
    assertThat(slow.cancelled).hasValue(1);
  }

  @Test
  void what_is_late_when_no_second_request_is_left_waits_for_one() {
    answerUsually(20);
    slow.delays.add(NEVER);
    assertValueAfter(USUAL.multipliedBy(3));
    slow.delays.add(NEVER);
    assertThat(time.after(Duration.ofSeconds(1), hedged.get(KEY))).isNull();
    assertThat(slow.cancelled).hasValue(1);
    answerUsually(20);
    time.pass(Duration.ofSeconds(1));
    assertThat(slow.cancelled).hasValue(2);
    assertThat(slow.requests).hasValue(44);
  }

  @Test
  void what_was_asked_twice_does_not_make_others_wait_longer() {
    Store generous = new HedgedStore(slow, HedgeOptions.defaults().withShare(0.5), timer);
    for (int i = 0; i < 500; i++) {
      boolean late = i > 40 && i % 5 == 0;
      if (late) {
        slow.delays.add(NEVER);
      }
      assertThat(time.after(USUAL.multipliedBy(late ? 3 : 1), generous.get(KEY))).isNotNull();
    }
  }

  @Test
  void nothing_is_late_before_twice_the_usual_time() {
    answerUsually(40);
    slow.delays.add(USUAL.multipliedBy(2).minusMillis(1));
    assertValueAfter(USUAL.multipliedBy(2));
    assertThat(slow.requests).hasValue(41);
  }

  @Test
  void second_requests_are_one_in_twenty_at_most() {
    answerUsually(100);
    int before = slow.requests.get();
    for (int i = 0; i < 400; i++) {
      slow.delays.add(Duration.ofSeconds(i + 1L)); // each later than those before
      slow.delays.add(NEVER);
      assertValueAfter(Duration.ofSeconds(i + 1L));
      slow.delays.clear();
    }
    int second = slow.requests.get() - before - 400;
    assertThat(second).isBetween(10, 400 / 20 + 10);
  }

  @Test
  void while_the_server_fails_there_is_no_second_request() {
    answerUsually(40);
    slow.fails = true;
    assertErrorAfter(USUAL);
    slow.fails = false;
    slow.delays.add(Duration.ofSeconds(1));
    int before = slow.requests.get();
    assertValueAfter(Duration.ofSeconds(1));
    assertThat(slow.requests).hasValue(before + 1);
  }

  @Test
  void an_error_is_handed_on_at_once_and_as_it_is() {
    answerUsually(20);
    slow.fails = true;
    slow.delays.add(Duration.ofMillis(1));
    assertErrorAfter(Duration.ofMillis(1));
  }

  @Test
  void of_two_errors_one_is_handed_on() {
    answerUsually(20);
    slow.fails = true;
    slow.delays.add(Duration.ofMillis(120));
    assertErrorAfter(Duration.ofMillis(150));
    assertThat(slow.requests).hasValue(22);
  }
}
