package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class AsyncSemaphoreTest {
  @Test
  void permits_are_given_first_come_first_served() {
    AsyncSemaphore permits = new AsyncSemaphore(1);
    AsyncSemaphore.Permit first = permits.permit("one");
    first.acquire().block();
    List<Integer> served = new ArrayList<>();
    List<AsyncSemaphore.Permit> queue = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int number = i;
      AsyncSemaphore.Permit permit = permits.permit("one");
      queue.add(permit);
      permit.acquire().doOnSuccess(granted -> served.add(number)).subscribe();
    }
    assertThat(served).isEmpty();
    first.release();
    assertThat(served).containsExactly(0);
    queue.forEach(AsyncSemaphore.Permit::release);
    assertThat(served).containsExactly(0, 1, 2, 3, 4);
    assertThat(permits.available()).isEqualTo(1);
  }

  @Test
  void a_cancelled_request_leaves_the_queue_at_once() {
    AsyncSemaphore permits = new AsyncSemaphore(0);
    AsyncSemaphore.Permit permit = permits.permit("one");
    Disposable waiting = permit.acquire().subscribe();
    assertThat(permits.waiting()).isEqualTo(1);
    waiting.dispose();
    permit.release();
    assertThat(permits.waiting()).isZero();
    permits.add(1);
    assertThat(permits.available()).isEqualTo(1);
  }

  @Test
  void a_permit_is_given_back_once_however_often_it_is_released() {
    AsyncSemaphore permits = new AsyncSemaphore(1);
    AsyncSemaphore.Permit permit = permits.permit("one");
    permit.acquire().block();
    permit.release();
    permit.release();
    assertThat(permits.available()).isEqualTo(1);
  }

  @Test
  void a_permit_released_before_it_is_asked_for_is_never_given() {
    AsyncSemaphore permits = new AsyncSemaphore(1);
    AsyncSemaphore.Permit permit = permits.permit("one");
    permit.release();
    AtomicInteger granted = new AtomicInteger();
    permit.acquire().doOnSuccess(done -> granted.incrementAndGet()).subscribe();
    assertThat(granted).hasValue(0);
    assertThat(permits.available()).isEqualTo(1);
    assertThat(permits.waiting()).isZero();
  }

  /** A holder may wait for another permit on the thread that its own was granted on. */
  @Test
  void a_free_permit_is_granted_to_a_holder_that_has_just_got_one() {
    AsyncSemaphore permits = new AsyncSemaphore(2);
    AtomicInteger granted = new AtomicInteger();
    permits
        .permit("one")
        .acquire()
        .doOnSuccess(
            first -> {
              permits
                  .permit("one")
                  .acquire()
                  .doOnSuccess(second -> granted.incrementAndGet())
                  .subscribe();
              assertThat(granted).hasValue(1);
            })
        .block();
    assertThat(permits.available()).isZero();
  }

  @Test
  void a_long_queue_served_in_one_go_does_not_grow_the_stack() {
    AsyncSemaphore permits = new AsyncSemaphore(0);
    AtomicInteger served = new AtomicInteger();
    for (int i = 0; i < 100_000; i++) {
      AsyncSemaphore.Permit permit = permits.permit("one");
      permit
          .acquire()
          .doOnSuccess(
              granted -> {
                served.incrementAndGet();
                permit.release();
              })
          .subscribe();
    }
    permits.add(1);
    assertThat(served).hasValue(100_000);
  }

  @Test
  void no_permit_is_lost_or_made_when_many_threads_take_cancel_and_return_them() {
    AsyncSemaphore permits = new AsyncSemaphore(3);
    AtomicInteger held = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Flux.range(0, 20_000)
        .flatMap(
            i ->
                Mono.defer(
                        () -> {
                          AsyncSemaphore.Permit permit = permits.permit("one");
                          Mono<Void> use =
                              permit
                                  .acquire()
                                  .then(
                                      Mono.fromRunnable(
                                          () -> {
                                            most.accumulateAndGet(
                                                held.incrementAndGet(), Math::max);
                                            held.decrementAndGet();
                                          }));
                          return (i % 3 == 0 ? use.takeUntilOther(Mono.just(i)) : use)
                              .doOnTerminate(permit::release)
                              .doFinally(end -> permit.release());
                        })
                    .subscribeOn(Schedulers.parallel()),
            64)
        .then()
        .block(Duration.ofSeconds(30));
    assertThat(most.get()).isBetween(1, 3);
    assertThat(permits.available()).isEqualTo(3);
    assertThat(permits.waiting()).isZero();
  }
}
