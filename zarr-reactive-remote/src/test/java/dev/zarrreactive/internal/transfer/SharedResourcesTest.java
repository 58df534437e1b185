package dev.zarrreactive.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Resources that are counted. */
class SharedResourcesTest {
  private final AtomicInteger made = new AtomicInteger();
  private final List<String> closed = Collections.synchronizedList(new ArrayList<>());
  private final SharedResources<String, String> shared =
      new SharedResources<>(resource -> Mono.fromRunnable(() -> closed.add(resource)));

  private SharedResources.Lease<String> lease(String key) {
    return shared.lease(key, () -> key + made.incrementAndGet());
  }

  @Test
  void the_last_user_closes_the_resource_and_the_next_one_makes_another() {
    SharedResources.Lease<String> one = lease("a");
    SharedResources.Lease<String> two = lease("a");
    SharedResources.Lease<String> other = lease("b");
    assertThat(two.resource()).isSameAs(one.resource()).isNotEqualTo(other.resource());
    assertThat(shared.size()).isEqualTo(2);

    Mono<Void> unheard = one.close();
    assertThat(one.isClosed()).isFalse();
    unheard.block();
    assertThat(one.isClosed()).isTrue();
    one.close().block(); // counts once
    assertThat(closed).isEmpty();
    two.close().block();
    assertThat(closed).containsExactly("a1");
    assertThat(lease("a").resource()).isEqualTo("a3");
  }

  @Test
  void each_resource_of_many_users_at_a_time_is_closed_once() {
    Flux.range(0, 10_000)
        .flatMap(
            i ->
                Mono.fromCallable(() -> lease("a"))
                    .flatMap(SharedResources.Lease::close)
                    .subscribeOn(Schedulers.parallel()),
            16)
        .blockLast();
    assertThat(shared.size()).isZero();
    assertThat(closed).hasSize(made.get()).doesNotHaveDuplicates();
  }
}
