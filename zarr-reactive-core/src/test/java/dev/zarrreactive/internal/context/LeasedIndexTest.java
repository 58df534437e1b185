package dev.zarrreactive.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.flow.ByteBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class LeasedIndexTest {
  private final ByteBudget budget = new ByteBudget(1000, Schedulers.parallel());
  private final ByteBudget.Share share = budget.share();

  private <T> Mono<T> leased(Mono<T> fetch) {
    return ShardIndexCache.lease(share, 100, fetch);
  }

  /** A read goes on with the index on another thread, and may be over before this one returns. */
  @Test
  void the_bytes_are_given_back_before_the_index_is_handed_on() {
    List<Long> held = new ArrayList<>();
    Mono<String> fetch =
        Mono.fromSupplier(
            () -> {
              held.add(budget.held());
              return "index";
            });
    StepVerifier.create(leased(fetch).doOnNext(index -> held.add(budget.held())))
        .expectNext("index")
        .verifyComplete();
    assertThat(held).containsExactly(200L, 0L);
  }

  @Test
  void the_bytes_are_given_back_without_an_index() {
    StepVerifier.create(leased(Mono.empty()).doOnTerminate(this::assertNothingHeld))
        .verifyComplete();
    StepVerifier.create(
            leased(Mono.error(new IllegalStateException("no")))
                .doOnTerminate(this::assertNothingHeld))
        .verifyErrorMessage("no");
    StepVerifier.create(leased(Sinks.empty().asMono()))
        .then(() -> assertThat(budget.held()).isEqualTo(200))
        .thenCancel()
        .verify();
    assertNothingHeld();
  }

  private void assertNothingHeld() {
    assertThat(budget.held()).isZero();
  }
}
