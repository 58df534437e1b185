package dev.zarrreactive.internal.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class SharedRequestTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final TestPublisher<String> source = TestPublisher.create();
  private final List<String> told = new ArrayList<>();
  private final SharedRequest<String> request = new SharedRequest<>(source.mono(), owner());

  @Test
  void the_request_begins_with_its_first_subscriber_and_all_get_its_answer() {
    Mono<String> first = join();
    Mono<String> second = join();
    source.assertWasNotSubscribed();
    StepVerifier.create(Flux.merge(first, second))
        .then(() -> source.assertSubscribers(1))
        .then(() -> source.emit("answer"))
        .expectNext("answer", "answer")
        .verifyComplete();
    source.assertSubscribers(0);
    assertThat(told).containsExactly("answered answer");
    StepVerifier.create(join()).expectNext("answer").verifyComplete();
  }

  @Test
  void an_empty_answer_is_an_answer() {
    StepVerifier.create(join()).then(source::complete).verifyComplete();
    StepVerifier.create(join()).verifyComplete();
    assertThat(told).containsExactly("answered null");
  }

  @Test
  void an_error_goes_to_every_subscriber_and_none_joins_after_it() {
    Mono<String> late = join();
    StepVerifier.create(join())
        .then(() -> source.error(new IllegalStateException("broken")))
        .verifyErrorMessage("broken");
    StepVerifier.create(late).verifyErrorMessage("broken");
    assertThat(request.tryJoin()).isNull();
    assertThat(told).containsExactly("failed");
  }

  @Test
  void a_subscriber_that_the_error_of_another_one_cancels_is_told_nothing() {
    List<Throwable> dropped = new ArrayList<>();
    Hooks.onErrorDropped(dropped::add);
    try {
      Disposable.Swap second = Disposables.swap();
      Mono<String> first = join();
      Mono<String> other = join();
      first.subscribe(any -> {}, error -> second.dispose());
      second.update(other.subscribe(any -> {}, error -> told.add(error.toString())));
      source.error(new IllegalStateException("broken"));
      assertThat(dropped).isEmpty();
      assertThat(told).containsExactly("failed");
    } finally {
      Hooks.resetOnErrorDropped();
    }
  }

  @Test
  void a_cancel_of_one_subscriber_does_not_touch_the_others() {
    StepVerifier.create(join())
        .then(() -> StepVerifier.create(join()).thenCancel().verify(TIMEOUT))
        .then(source::assertWasNotCancelled)
        .then(() -> source.emit("answer"))
        .expectNext("answer")
        .verifyComplete();
  }

  @Test
  void the_request_is_cancelled_with_its_last_subscriber_and_none_joins_after_that() {
    StepVerifier.create(join())
        .then(() -> StepVerifier.create(join()).thenCancel().verify(TIMEOUT))
        .then(source::assertWasNotCancelled)
        .thenCancel()
        .verify(TIMEOUT);
    source.assertCancelled(1);
    assertThat(request.tryJoin()).isNull();
    assertThat(told).containsExactly("abandoned");
  }

  @Test
  void the_request_is_not_cancelled_while_a_subscriber_has_a_place_but_no_subscription_yet() {
    Mono<String> late = join();
    StepVerifier.create(join()).thenCancel().verify(TIMEOUT);
    source.assertWasNotCancelled();
    StepVerifier.create(late)
        .then(() -> source.emit("answer"))
        .expectNext("answer")
        .verifyComplete();
  }

  @Test
  void a_cancel_before_the_request_prevents_it() {
    join().takeUntilOther(Mono.just(1)).block(TIMEOUT);
    source.assertWasNotSubscribed();
    assertThat(request.tryJoin()).isNull();
  }

  @Test
  void a_place_is_taken_once() {
    Mono<String> place = join();
    StepVerifier.create(place)
        .then(() -> source.emit("answer"))
        .expectNext("answer")
        .verifyComplete();
    StepVerifier.create(place).verifyError(IllegalStateException.class);
  }

  @Test
  void nothing_is_lost_when_many_threads_come_and_leave() {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger made = new AtomicInteger();
    Mono<Integer> asking =
        Mono.defer(
                () -> {
                  int number = made.incrementAndGet();
                  return Mono.delay(Duration.ofNanos(20_000)).thenReturn(number);
                })
            .doOnSubscribe(begun -> underWay.incrementAndGet())
            .doFinally(end -> underWay.decrementAndGet());
    AtomicReference<@Nullable SharedRequest<Integer>> current = new AtomicReference<>();
    SharedRequest.Owner<Integer> owner =
        new SharedRequest.Owner<>() {
          @Override
          public void answered(SharedRequest<Integer> request, @Nullable Integer answer) {
            current.compareAndSet(request, null);
          }
        };
    Mono<Integer> join =
        Mono.defer(
            () -> {
              while (true) {
                SharedRequest<Integer> known = current.get();
                Mono<Integer> joined = known == null ? null : known.tryJoin();
                if (joined != null) {
                  return joined;
                }
                current.compareAndSet(known, new SharedRequest<>(asking, owner));
              }
            });
    Long answered =
        Flux.range(0, 40_000)
            .flatMap(
                i ->
                    (i % 2 == 0
                            ? join
                            : join.takeUntilOther(Mono.delay(Duration.ofNanos(i % 30 * 1000L))))
                        .filter(answer -> i % 2 == 0)
                        .subscribeOn(Schedulers.parallel()),
                64)
            .count()
            .block(TIMEOUT);
    assertThat(answered).isEqualTo(20_000);
    assertThat(made.get()).isLessThan(40_000);
    // who cancels is told of the end before the request is
    Flux.interval(Duration.ofMillis(1)).filter(tick -> underWay.get() == 0).blockFirst(TIMEOUT);
  }

  private Mono<String> join() {
    return Objects.requireNonNull(request.tryJoin());
  }

  private SharedRequest.Owner<String> owner() {
    return new SharedRequest.Owner<>() {
      @Override
      public void answered(SharedRequest<String> ended, @Nullable String answer) {
        told.add("answered " + answer);
      }

      @Override
      public void failed(SharedRequest<String> ended) {
        told.add("failed");
      }

      @Override
      public void abandoned(SharedRequest<String> ended) {
        told.add("abandoned");
        source.assertWasNotCancelled();
      }
    };
  }
}
