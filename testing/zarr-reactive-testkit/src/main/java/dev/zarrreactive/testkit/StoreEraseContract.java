package dev.zarrreactive.testkit;

import static dev.zarrreactive.store.StoreCapability.ERASE;
import static dev.zarrreactive.store.StoreCapability.LIST;
import static dev.zarrreactive.store.StoreCapability.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Erasing values. */
abstract class StoreEraseContract extends StoreVersionContract {
  StoreEraseContract() {}

  @Test
  void an_erased_value_is_missing_and_others_stay() {
    needs(ERASE);
    seed("a/b", "a/c");
    await(store().erase(StoreKey.of("a/b")));
    assertThat(get("a/b")).isNull();
    assertThat(get("a/c")).isEqualTo(Bytes.utf8("a/c"));
  }

  @Test
  void erasing_what_is_missing_is_no_error() {
    needs(ERASE);
    await(store().erase(StoreKey.of("a/b")));
    seed("a");
    await(store().erase(StoreKey.of("a/b")));
    assertThat(get("a")).isEqualTo(Bytes.utf8("a"));
  }

  @Test
  void erasing_a_key_leaves_the_keys_below_it() {
    needs(ERASE);
    seed("a/b", "a/c/d");
    await(store().erase(StoreKey.of("a")));
    await(store().erase(StoreKey.of("a/c")));
    assertThat(get("a/b")).isNotNull();
    assertThat(get("a/c/d")).isNotNull();
  }

  @Test
  void nothing_is_erased_before_a_subscription() {
    needs(ERASE);
    seed("a");
    Mono<Void> erase = store().erase(StoreKey.of("a"));
    store().erasePrefix(StorePrefix.ROOT);
    store().eraseValues(Flux.just(StoreKey.of("a")));
    assertThat(get("a")).isNotNull();
    await(erase);
    assertThat(get("a")).isNull();
  }

  @Test
  void values_are_erased_as_their_keys_arrive() {
    needs(ERASE);
    seed("a", "b", "c");
    Sinks.Many<StoreKey> keys = Sinks.many().unicast().onBackpressureBuffer();
    Mono<Void> erased =
        store().eraseValues(keys.asFlux()).subscribeOn(Schedulers.parallel()).cache();
    StepVerifier.create(erased)
        .then(() -> keys.tryEmitNext(StoreKey.of("b")))
        .then(() -> awaitMissing("b"))
        .then(() -> keys.tryEmitNext(StoreKey.of("missing")))
        .then(() -> keys.tryEmitNext(StoreKey.of("b")))
        .then(() -> keys.tryEmitNext(StoreKey.of("a")))
        .then(keys::tryEmitComplete)
        .expectComplete()
        .verify(TIMEOUT);
    assertThat(get("a")).isNull();
    assertThat(get("c")).isNotNull();
  }

  @Test
  void keys_to_erase_are_demanded_a_bounded_number_at_a_time() {
    needs(ERASE);
    long[] most = new long[1];
    await(
        store()
            .eraseValues(
                Flux.range(0, 1500)
                    .map(i -> StoreKey.of("missing/" + i))
                    .doOnRequest(n -> most[0] = Math.max(most[0], n))));
    assertThat(most[0]).isLessThanOrEqualTo(1000);
  }

  @Test
  void an_error_of_the_keys_to_erase_is_passed_on() {
    needs(ERASE);
    RuntimeException broken = new IllegalStateException("no more keys");
    assertThat(errorOf(store().eraseValues(Flux.error(broken)))).isSameAs(broken);
  }

  @Test
  void a_cancel_of_an_erasure_stops_its_keys() {
    needs(ERASE);
    TestPublisher<StoreKey> keys = TestPublisher.create();
    StepVerifier.create(store().eraseValues(keys)).thenAwait().thenCancel().verify(TIMEOUT);
    keys.assertCancelled();
  }

  @Test
  void a_prefix_is_erased_with_all_below_it_and_nothing_beside_it() {
    needs(ERASE, LIST);
    seed("a/x", "a/y/z/0", "ab/c", "a!", "a0", "b/a/x");
    await(store().erasePrefix(StorePrefix.of("a/")));
    assertThat(get("a/x")).isNull();
    assertThat(get("a/y/z/0")).isNull();
    assertThat(keys(store().list())).containsExactlyInAnyOrder("ab/c", "a!", "a0", "b/a/x");
  }

  @Test
  void a_value_of_the_same_name_is_not_below_the_prefix() {
    needs(ERASE, LIST);
    seed("a");
    await(store().erasePrefix(StorePrefix.of("a/")));
    assertThat(get("a")).isNotNull();
    assumeTrue(keysMayBePrefixes());
    seed("a/b");
    await(store().erasePrefix(StorePrefix.of("a/")));
    assertThat(keys(store().list())).containsExactly("a");
  }

  @Test
  void the_root_prefix_is_erased_with_everything_and_the_store_works_on() {
    needs(ERASE, LIST, WRITE);
    seed("a/x", "a/y/z/0", "zarr.json");
    await(store().erasePrefix(StorePrefix.ROOT));
    assertThat(keys(store().list())).isEmpty();
    set("a/x", bytes(1));
    assertThat(keys(store().list())).containsExactly("a/x");
  }

  @Test
  void erasing_an_unknown_prefix_is_no_error() {
    needs(ERASE, LIST);
    seed("a/x");
    await(store().erasePrefix(StorePrefix.of("b/c/")));
    await(store().erasePrefix(StorePrefix.of("a/x/")));
    assertThat(get("a/x")).isNotNull();
  }

  @Test
  void what_was_erased_is_not_listed() {
    needs(ERASE, LIST);
    seed("a/b/c", "a/d/e", "f");
    await(store().eraseValues(Flux.just("a/b/c", "f").map(StoreKey::of)));
    assertThat(keys(store().list())).containsExactly("a/d/e");
    assertThat(await(store().listDir(StorePrefix.of("a/")))).hasSize(1);
    await(store().erasePrefix(StorePrefix.of("a/d/")));
    assertThat(await(store().listDir(StorePrefix.ROOT))).isEmpty();
  }

  @Test
  void a_listing_can_be_erased_while_it_runs() {
    needs(ERASE, LIST);
    String[] names = new String[150];
    for (int i = 0; i < names.length; i++) {
      names[i] = "array/c/" + i / 10 + "/" + i % 10;
    }
    seed(names);
    await(store().eraseValues(store().listPrefix(StorePrefix.of("array/"))));
    assertThat(List.copyOf(keys(store().list()))).isEmpty();
  }

  private void awaitMissing(String key) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (get(key) != null) {
      assertThat(System.nanoTime()).as("%s was not erased in time", key).isLessThan(end);
      Thread.onSpinWait();
    }
  }
}
