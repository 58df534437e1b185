package dev.zarrreactive.store.decorator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.decorator.StoreOrigin.ReadProbe;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Limits and measurement stand next to the origin, whatever is decorated above it. */
class StoreOriginTest {
  private static final StoreKey KEY = StoreKey.of("c/0");
  private static final Bytes VALUE = Bytes.utf8("value");

  private final VirtualTime time = new VirtualTime();
  private final Scheduler timer = time.scheduler();
  private final Store memory = MemoryStore.create();
  private final List<Duration> measured = new ArrayList<>();
  private final RequestLimit limit = RequestLimit.fixed(1);
  private int requests;

  /** Answers after 50 ms. */
  private final Store origin =
      new DelegatingStore(memory) {
        @Override
        public Mono<Bytes> get(StoreKey key) {
          return Mono.defer(
              () -> {
                requests++;
                return Mono.delay(Duration.ofMillis(50), timer).then(super.get(key));
              });
        }

        @Override
        public Mono<VersionedBytes> getVersioned(
            StoreKey key, ByteRange range, ReadCondition condition) {
          return Mono.defer(
              () -> {
                requests++;
                return Mono.delay(Duration.ofMillis(50), timer)
                    .then(super.getVersioned(key, range, condition));
              });
        }
      };

  private final ReadProbe probe =
      new ReadProbe() {
        @Override
        public long nanoTime() {
          return timer.now(TimeUnit.NANOSECONDS);
        }

        @Override
        public void answered(long bytes, long nanos) {
          assertThat(bytes).isEqualTo(VALUE.size());
          measured.add(Duration.ofNanos(nanos));
        }
      };

  private final List<Bytes> answers = new ArrayList<>();

  private void read(Store store, int times) {
    for (int i = 0; i < times; i++) {
      store.get(KEY).subscribe(answers::add);
    }
  }

  private Store admitted(Store store) {
    memory.set(KEY, VALUE).block();
    return StoreOrigin.of(store).admitting(store, limit, probe);
  }

  @Test
  void a_hit_needs_no_permit_and_is_not_measured() {
    Store store = admitted(Stores.cached(origin, CacheOptions.ofBytes(1000)));
    read(store, 1);
    time.pass(Duration.ofSeconds(1));
    store.get(StoreKey.of("missing")).subscribe();
    assertThat(limit.underWay()).isEqualTo(1);
    read(store, 5);
    assertThat(answers).hasSize(6);
    assertThat(measured).containsExactly(Duration.ofMillis(50));
  }

  @Test
  void the_wait_for_a_permit_is_not_measured() {
    Store store = admitted(origin);
    read(store, 3);
    time.pass(Duration.ofSeconds(1));
    assertThat(answers).hasSize(3);
    assertThat(measured).hasSize(3).containsOnly(Duration.ofMillis(50));
  }

  @Test
  void a_limit_in_the_stack_and_the_limit_of_a_client_both_hold() {
    RequestLimit own = RequestLimit.fixed(2);
    for (Store stack :
        List.of(
            Stores.limited(origin, own),
            Stores.retrying(Stores.limited(origin, own), RetryOptions.defaults()),
            Stores.stack(origin).limit(own).hedge(HedgeOptions.defaults()).build())) {
      requests = 0;
      Store store = admitted(stack);
      assertThat(StoreOrigin.of(store).isLimited()).isTrue();
      read(store, 4);
      assertThat(requests).as("by a client with a limit of 1").isEqualTo(1);
      read(stack, 4);
      assertThat(requests).as("all together").isEqualTo(2);
      assertThat(own.underWay()).isEqualTo(2);
      time.pass(Duration.ofSeconds(1));
      assertThat(own.underWay() + limit.underWay()).isZero();
    }
  }

  @Test
  void a_stack_used_without_a_client_has_no_limit_of_a_client() {
    Store stack = Stores.retrying(origin, RetryOptions.defaults());
    admitted(stack);
    read(stack, 4);
    assertThat(requests).isEqualTo(4);
    time.pass(Duration.ofSeconds(1)); // no read is left to its deadline, in the tests that follow
  }

  @Test
  void the_origin_is_found_through_decorators_of_any_author() {
    Store bare = StoreOriginTest.this.origin;
    Store stack =
        new DelegatingStore(
            Stores.prefixed(
                Stores.cached(bare, CacheOptions.ofBytes(1000)), StorePrefix.of("a/"))) {};
    assertThat(StoreOrigin.of(stack)).isEqualTo(StoreOrigin.of(bare));
    assertThat(StoreOrigin.of(stack).isLimited()).isFalse();
    assertThat(StoreOrigin.of(MemoryStore.create()))
        .isNotEqualTo(StoreOrigin.of(MemoryStore.create()));
    assertThat(StoreOrigin.of(Stores.limited(stack, 3)).isLimited()).isTrue();
  }

  @Test
  void a_gate_of_another_stack_further_down_is_not_taken_for_that_of_this_stack() {
    Store below = Stores.limited(origin, 7);
    Store opaque = // a store of its own, such as an archive
        new AbstractStore() {
          @Override
          public java.util.Set<StoreCapability> capabilities() {
            return java.util.Set.of(StoreCapability.READ);
          }

          @Override
          public Mono<Bytes> get(StoreKey key) {
            return below.get(key);
          }
        };
    Store store = admitted(Stores.retrying(opaque, RetryOptions.defaults()));
    read(store, 4);
    assertThat(requests).isEqualTo(1);
    time.pass(Duration.ofSeconds(1));
    assertThat(answers).hasSize(4);
    assertThat(measured).hasSize(4);
  }

  @Test
  void a_stack_has_one_order_whatever_the_order_of_the_calls() {
    Store store =
        Stores.stack(memory)
            .cache(CacheOptions.ofBytes(10))
            .hedge(HedgeOptions.defaults())
            .retry(RetryOptions.defaults())
            .observe(new StoreObserver() {})
            .limit(limit)
            .build();
    assertThat(store)
        .isInstanceOf(CachedStore.class)
        .hasToString(
            "CachedStore[10 bytes, HedgedStore[RetryingStore[ObservedStore["
                + "LimitedStore[1 requests, "
                + memory
                + "]]]]]");
    assertThat(Stores.stack(memory).build()).hasToString(memory.toString());
  }

  @Test
  void origins_that_share_a_limit_of_requests_are_at_one_server() {
    StoreOrigin one = StoreOrigin.of(Stores.limited(MemoryStore.create(), limit));
    StoreOrigin other = StoreOrigin.of(Stores.limited(MemoryStore.create(), limit));
    assertThat(other).isNotEqualTo(one);
    assertThat(other.isAtServerOf(one)).isTrue();
    assertThat(one.isAtServerOf(one)).isTrue();
    assertThat(StoreOrigin.of(Stores.limited(memory, 1)).isAtServerOf(one)).isFalse();
    assertThat(StoreOrigin.of(memory).isAtServerOf(StoreOrigin.of(MemoryStore.create()))).isFalse();
    assertThat(StoreOrigin.of(memory).isAtServerOf(StoreOrigin.of(memory))).isTrue();
  }
}
