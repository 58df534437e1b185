package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class ConcurrentlyTest {
  private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

  @BeforeEach
  void hearDroppedErrors() {
    Hooks.onErrorDropped(dropped::add);
  }

  @AfterEach
  void stopHearing() {
    Hooks.resetOnErrorDropped();
    assertThat(dropped).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_first_error_ends_all_parts_and_later_ones_are_not_signalled(boolean inOrder) {
    List<TestPublisher<String>> parts = parts(3);
    Flux<String> all = run(parts, 3, inOrder);
    StepVerifier.create(all)
        .then(() -> parts.get(1).error(new IllegalStateException("first")))
        .then(() -> parts.get(0).error(new IllegalStateException("second")))
        .verifyErrorMessage("first");
    parts.get(0).assertCancelled();
    parts.get(2).assertCancelled();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_error_cancels_the_other_parts_from_the_last_one_to_the_first(boolean inOrder) {
    List<Integer> cancelled = new ArrayList<>();
    Sinks.Empty<String> failing = Sinks.empty();
    List<Mono<String>> parts =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    i == 7
                        ? failing.asMono()
                        : Mono.<String>never().doOnCancel(() -> cancelled.add(i)))
            .toList();
    Flux<String> all =
        inOrder
            ? Concurrently.mapInOrder(Flux.range(0, 40), 40, parts::get)
            : Concurrently.map(Flux.range(0, 40), 40, parts::get);
    StepVerifier.create(all)
        .then(() -> failing.tryEmitError(new IllegalStateException("failed")))
        .verifyErrorMessage("failed");
    assertThat(cancelled).hasSize(39).isSortedAccordingTo(Comparator.reverseOrder());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void errors_while_the_subscriber_is_busy_become_one(boolean inOrder) {
    List<TestPublisher<String>> parts = parts(3);
    StepVerifier.create(
            run(parts, 3, inOrder)
                .doOnNext(
                    result -> {
                      parts.get(1).error(new IllegalStateException("first"));
                      parts.get(2).error(new IllegalStateException("second"));
                    }))
        .then(() -> parts.get(0).next("a"))
        .expectNext("a")
        .verifyErrorMessage("first");
    parts.get(0).assertCancelled();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_error_of_the_source_of_parts_ends_the_parts_under_way(boolean inOrder) {
    TestPublisher<Integer> source =
        TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
    TestPublisher<String> part = violating();
    Flux<String> all =
        inOrder
            ? Concurrently.mapInOrder(source.flux(), 2, i -> part.flux())
            : Concurrently.map(source.flux(), 2, i -> part.flux());
    StepVerifier.create(all)
        .then(() -> source.next(1))
        .then(() -> source.error(new IllegalStateException("no more parts")))
        .then(() -> part.error(new IllegalStateException("second")))
        .verifyErrorMessage("no more parts");
    part.assertCancelled();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_cancel_reaches_parts_and_begins_none_while_the_subscriber_is_busy(boolean inOrder) {
    List<TestPublisher<String>> parts = parts(4);
    AtomicInteger begun = new AtomicInteger();
    Flux<String> all =
        inOrder
            ? Concurrently.mapInOrder(Flux.range(0, 4), 2, i -> counted(parts.get(i), begun))
            : Concurrently.map(Flux.range(0, 4), 2, i -> counted(parts.get(i), begun));
    List<String> seen = new ArrayList<>();
    all.subscribe(
        new BaseSubscriber<String>() {
          @Override
          protected void hookOnNext(String value) {
            seen.add(value);
            cancel(); // the thread that drains is here: flatMap alone would wait for it
            parts.get(1).assertCancelled();
            parts.get(0).complete();
          }
        });
    parts.get(0).next("a");
    assertThat(seen).containsExactly("a");
    assertThat(begun).hasValue(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void every_part_of_a_part_is_cancelled_before_an_error_also_while_another_one_cancels_them(
      boolean inOrder) {
    TestPublisher<String> other = violating();
    TestPublisher<String> failing = violating();
    Set<String> cancelled = ConcurrentHashMap.newKeySet();
    List<Flux<String>> inner = new ArrayList<>(List.of(failing.flux()));
    for (String name : List.of("a", "b", "c", "d")) {
      inner.add(
          Flux.<String>never()
              .doOnCancel(
                  () -> {
                    boolean isFirst = cancelled.isEmpty();
                    cancelled.add(name);
                    if (isFirst) { // in the midst of the cancel of all
                      other.error(new IllegalStateException("another part"));
                    }
                  }));
    }
    Flux<String> part =
        inOrder
            ? Concurrently.mapInOrder(Flux.fromIterable(inner), 5, each -> each)
            : Concurrently.map(Flux.fromIterable(inner), 5, each -> each);
    Flux<String> busy =
        part.doOnNext(result -> failing.error(new IllegalStateException("a part of a part")));
    List<String> cancelledBefore = new ArrayList<>();
    StepVerifier.create(
            Concurrently.map(Flux.just(busy, other.flux()), 2, each -> each)
                .doOnError(error -> cancelledBefore.addAll(cancelled)))
        .then(() -> failing.next("a result"))
        .verifyErrorMessage("another part");
    assertThat(cancelledBefore).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void results_keep_the_order_of_their_parts_or_come_as_they_are_ready() {
    List<TestPublisher<String>> ordered = parts(2);
    StepVerifier.create(run(ordered, 2, true))
        .then(() -> ordered.get(1).emit("b"))
        .then(() -> ordered.get(0).emit("a"))
        .expectNext("a", "b")
        .verifyComplete();
    List<TestPublisher<String>> unordered = parts(2);
    StepVerifier.create(run(unordered, 2, false))
        .then(() -> unordered.get(1).emit("b"))
        .then(() -> unordered.get(0).emit("a"))
        .expectNext("b", "a")
        .verifyComplete();
  }

  @Test
  void a_part_that_ended_is_not_held_while_its_result_waits() {
    Sinks.One<String> held = Sinks.one();
    Concurrently.PartSubscriber<?>[] part = new Concurrently.PartSubscriber<?>[1];
    Concurrently.OperationScope scope = new Concurrently.OperationScope();
    StepVerifier.create(
            scope
                .<String>stoppable(held.asMono())
                .doOnSubscribe(
                    subscription -> part[0] = (Concurrently.PartSubscriber<?>) subscription),
            0)
        .then(() -> held.tryEmitValue("a").orThrow())
        .thenRequest(1)
        .expectNext("a")
        .verifyComplete();
    assertThat(part[0]).hasFieldOrPropertyWithValue("source", null);
  }

  private static Flux<String> counted(TestPublisher<String> part, AtomicInteger begun) {
    return Flux.defer(
        () -> {
          begun.incrementAndGet();
          return part.flux();
        });
  }

  private static Flux<String> run(
      List<TestPublisher<String>> parts, int concurrency, boolean inOrder) {
    return inOrder
        ? Concurrently.mapInOrder(Flux.fromIterable(parts), concurrency, TestPublisher::flux)
        : Concurrently.map(Flux.fromIterable(parts), concurrency, TestPublisher::flux);
  }

  private static List<TestPublisher<String>> parts(int count) {
    return IntStream.range(0, count).mapToObj(i -> violating()).toList();
  }

  /** A source that signals after it was cancelled, as one on another thread may. */
  private static TestPublisher<String> violating() {
    return TestPublisher.createNoncompliant(TestPublisher.Violation.DEFER_CANCELLATION);
  }
}
