package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** What is given out together, when, and how many values are demanded. */
class BatchesTest {
  private static Flux<List<Integer>> inThrees(Flux<Integer> source) {
    return new Batches<>(source, batch -> batch.size() == 3);
  }

  @Test
  void values_that_are_there_fill_the_batches() {
    StepVerifier.create(inThrees(Flux.range(0, 7)))
        .expectNext(List.of(0, 1, 2), List.of(3, 4, 5), List.of(6))
        .verifyComplete();
  }

  @Test
  void a_value_that_comes_alone_does_not_wait_and_a_full_batch_demands_no_more() {
    TestPublisher<Integer> source = TestPublisher.create();
    List<Long> demands = new ArrayList<>();
    StepVerifier.create(inThrees(source.flux().doOnRequest(demands::add)), 1)
        .then(() -> source.next(0))
        .expectNext(List.of(0))
        .then(() -> source.next(1, 2, 3))
        .then(() -> assertThat(demands).containsExactly(1L, 1L, 1L, 1L))
        .thenRequest(1)
        .expectNext(List.of(1, 2, 3))
        .thenCancel()
        .verify();
    source.assertCancelled();
  }

  @Test
  void an_error_waits_until_the_values_before_it_are_taken() {
    Flux<Integer> source =
        Flux.just(1, 2).concatWith(Flux.error(new IllegalStateException("theirs")));
    StepVerifier.create(inThrees(source), 1)
        .expectNext(List.of(1, 2))
        .then(() -> {})
        .thenRequest(1)
        .verifyErrorMessage("theirs");
  }

  @Test
  void values_of_another_thread_come_in_order_and_each_once() {
    Flux<List<Integer>> batches =
        inThrees(Flux.range(0, 10_000).publishOn(Schedulers.parallel()))
            .publishOn(Schedulers.single(), 1);
    List<Integer> all = batches.concatMapIterable(batch -> batch).collectList().block();
    assertThat(all).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
  }

  @Test
  void a_source_without_values_ends_before_any_demand() {
    StepVerifier.create(inThrees(Flux.empty()), 0).verifyComplete();
  }
}
