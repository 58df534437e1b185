package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** What the base of a store makes of few operations; that it is right is in the contract. */
class AbstractStoreTest {
  @Test
  void no_part_is_requested_that_is_not_demanded() {
    Counting store = new Counting();
    StepVerifier.create(store.getPartialValues(parts(500)), 0)
        .expectSubscription()
        .then(() -> assertThat(store.requests).hasValue(0))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(store.requests).hasValue(1))
        .thenRequest(7)
        .expectNextCount(7)
        .then(() -> assertThat(store.requests).hasValue(8))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(492)
        .expectComplete()
        .verify();
    assertThat(store.requests).hasValue(500);
  }

  @Test
  void parts_are_requested_at_most_sixty_four_at_a_time_and_a_cancel_gives_all_up() {
    Counting store = new Counting();
    store.answer = Mono.never();
    StepVerifier.create(store.getPartialValues(parts(500)))
        .expectSubscription()
        .then(() -> assertThat(store.requests).hasValue(64))
        .thenCancel()
        .verify();
    assertThat(store.requests).hasValue(64);
    assertThat(store.cancelled).hasValue(64);
  }

  @Test
  void a_slow_first_part_holds_back_the_order_but_not_the_requests() {
    Counting store = new Counting();
    Sinks.One<Bytes> slow = Sinks.one();
    store.first = slow.asMono();
    StepVerifier.create(store.getPartialValues(parts(10)))
        .expectSubscription()
        .then(() -> assertThat(store.requests).hasValue(10))
        .then(() -> slow.tryEmitValue(Bytes.utf8("1")))
        .expectNextCount(10)
        .expectComplete()
        .verify();
  }

  @Test
  void a_directory_with_too_many_prefixes_to_distinguish_is_an_error() {
    Flux<StoreKey> keys = Flux.range(0, 100).map(i -> StoreKey.of("a/" + i + "/x"));
    StepVerifier.create(Fallbacks.entries(StorePrefix.of("a/"), keys, 99))
        .expectNextCount(99)
        .expectErrorSatisfies(
            error ->
                assertThat(error)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("listDir"))
        .verify();
  }

  @Test
  void a_refusal_names_the_store_the_missing_capability_and_the_existing_ones() {
    assertThat(new Counting().refusal(StoreCapability.WRITE, "set a value", StoreKey.of("a/b")))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessage("counting cannot set a value: it lacks WRITE; it has [READ] (key a/b)");
  }

  @Test
  void a_store_that_lists_a_prefix_lists_everything_so() {
    Counting store =
        new Counting() {
          @Override
          public Set<StoreCapability> capabilities() {
            return Set.of(StoreCapability.READ, StoreCapability.LIST);
          }

          @Override
          public Flux<StoreKey> listPrefix(StorePrefix prefix) {
            return Flux.just("a/b", "c").map(StoreKey::of).filter(prefix::contains);
          }
        };
    assertThat(store.list().map(StoreKey::value).collectList().block()).containsExactly("a/b", "c");
    assertThat(store.listDir(StorePrefix.ROOT).map(ListEntry::name).collectList().block())
        .containsExactly("a", "c");
  }

  @Test
  void a_store_that_claims_to_list_and_does_not_learns_what_to_override() {
    Counting store =
        new Counting() {
          @Override
          public Set<StoreCapability> capabilities() {
            return Set.of(StoreCapability.READ, StoreCapability.LIST);
          }
        };
    for (Flux<StoreKey> listing : List.of(store.list(), store.listPrefix(StorePrefix.of("a/")))) {
      StepVerifier.create(listing)
          .expectErrorSatisfies(
              error ->
                  assertThat(error)
                      .isInstanceOf(StoreException.class)
                      .isNotInstanceOf(StoreCapabilityException.class)
                      .hasMessageContaining("override listPrefix or leave"))
          .verify();
    }
    StepVerifier.create(new Counting().list()).verifyError(StoreCapabilityException.class);
  }

  @Test
  void a_store_that_claims_to_write_and_does_not_learns_what_to_override() {
    StoreKey key = StoreKey.of("a/b");
    Set<StoreCapability> all = EnumSet.allOf(StoreCapability.class);
    Counting store =
        new Counting() {
          @Override
          public Set<StoreCapability> capabilities() {
            return all;
          }
        };
    Map<String, Mono<?>> unmade =
        Map.of(
            "has the capability WRITE but cannot set a value: its class must override"
                + " set(StoreKey, Bytes, Precondition), which set(StoreKey, Bytes) calls, or leave"
                + " out the capability (key a/b)",
            store.set(key, Bytes.EMPTY, Precondition.NONE),
            "has the capability ERASE but cannot erase a value: its class must override"
                + " erase(StoreKey) or leave out",
            store.erase(key),
            "has the capability CONDITIONAL_ERASE but cannot erase one version of a value: its class"
                + " must override erase(StoreKey, Version) or",
            store.erase(key, new Version("1")),
            "has the capability VERSIONS but cannot read on condition: its class must override"
                + " getVersioned(StoreKey, ByteRange, ReadCondition) or",
            store.getVersioned(key, null, ReadCondition.ifMatch(new Version("1"))));
    unmade.forEach(
        (message, operation) ->
            StepVerifier.create(operation)
                .expectErrorSatisfies(
                    error ->
                        assertThat(error)
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining(message)
                            .hasMessageNotContaining("lacks"))
                .verify());
    StepVerifier.create(store.set(key, Flux.just(Bytes.EMPTY), Precondition.NONE))
        .expectErrorSatisfies(
            error -> assertThat(error).hasMessageContaining("override set(StoreKey, Bytes,"))
        .verify();
  }

  @Test
  void a_refusal_never_says_that_a_store_lacks_what_it_has() {
    Counting store = new Counting();
    for (StoreCapability capability : StoreCapability.values()) {
      String message = capability.refusal(store, "do it", Location.UNKNOWN).getMessage();
      assertThat(message)
          .contains(
              capability == StoreCapability.READ
                  ? "it has the capability READ, but refuses the operation"
                  : "it lacks " + capability + "; it has [READ]");
    }
    StoreCapability lacking = StoreCapability.LIST;
    Store many =
        new Counting() {
          @Override
          public Set<StoreCapability> capabilities() {
            return Set.of(StoreCapability.ERASE, StoreCapability.WRITE, StoreCapability.READ);
          }
        };
    assertThat(lacking.refusal(many, "list keys", Location.UNKNOWN))
        .hasMessage("counting cannot list keys: it lacks LIST; it has [READ, WRITE, ERASE]");
  }

  private static List<KeyRange> parts(int count) {
    List<KeyRange> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(new KeyRange(StoreKey.of("a/" + i), new ByteRange.From(0)));
    }
    return parts;
  }

  private static class Counting extends AbstractStore {
    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    Mono<Bytes> answer = Mono.just(Bytes.EMPTY);
    Mono<Bytes> first = Mono.just(Bytes.EMPTY);

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Mono<Bytes> get(StoreKey key) {
      return Mono.defer(() -> requests.getAndIncrement() == 0 ? first.then(answer) : answer)
          .doOnCancel(cancelled::incrementAndGet);
    }

    @Override
    public String toString() {
      return "counting";
    }
  }
}
