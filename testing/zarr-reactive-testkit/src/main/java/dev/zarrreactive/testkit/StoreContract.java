package dev.zarrreactive.testkit;

import static dev.zarrreactive.store.StoreCapability.CONDITIONAL_WRITE;
import static dev.zarrreactive.store.StoreCapability.ERASE;
import static dev.zarrreactive.store.StoreCapability.LIST;
import static dev.zarrreactive.store.StoreCapability.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.store.KeyStartValue;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;

/**
 * The contract of every {@link Store}. Extend it in the tests of a store, with JUnit 5:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContract {
 *   @Override
 *   protected Store createStore() {
 *     return new MyStore(emptyPlace());
 *   }
 * }
 * }</pre>
 *
 * <p>The store must refuse every operation that is outside of its {@link Store#capabilities()}; the
 * other tests of that operation are skipped. Override {@code seed} for a read-only store, {@code
 * keysMayBePrefixes} and {@code canHold} for one that cannot hold every set of keys, {@code
 * secrets} for one that has some, {@code discard} to clean up.
 *
 * <p>All subscriptions are made on threads that must not block. Have {@code
 * zarr-reactive-blockhound} among the test dependencies, and a store that blocks them is found out.
 */
public abstract class StoreContract extends StoreListContract {
  static final List<String> UNUSUAL_KEYS =
      List.of(
          "c",
          "0",
          "zarr.json",
          ".zarray",
          "..a",
          "a b/c d",
          " leading and trailing ",
          "100%/50%25",
          "%2F",
          "a+b&c=d?e#f",
          "~user/$HOME/'quoted'",
          "grün/日本語/c",
          "emoji-\uD83D\uDE00/\u00E9");

  /** For subclasses. */
  protected StoreContract() {}

  @Test
  void the_capabilities_never_change() {
    Set<StoreCapability> capabilities = store().capabilities();
    assertThat(capabilities).isNotEmpty().isEqualTo(store().capabilities());
    assertThatThrownBy(() -> capabilities.remove(StoreCapability.READ))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void nothing_is_read_before_a_subscription_and_each_subscription_reads_again() {
    Mono<Bytes> get = store().get(StoreKey.of("a"));
    Mono<Bytes> range = store().get(StoreKey.of("a"), suffix(1));
    assertThat(await(get)).isNull();
    assertThat(await(range)).isNull();
    seed("a", bytes(1, 2));
    assertThat(await(get)).isEqualTo(bytes(1, 2));
    assertThat(await(range)).isEqualTo(bytes(2));
  }

  @Test
  void its_name_shows_no_secret() {
    assertThat(store().toString()).isNotBlank().doesNotContain(store().getClass().getName() + "@");
    secrets().forEach(secret -> assertThat(store().toString()).doesNotContain(secret));
  }

  @Test
  void a_store_that_cannot_write_refuses_to() {
    assumeFalse(can(WRITE));
    StoreKey key = StoreKey.of("a");
    assertRefused(store().set(key, bytes(1)), WRITE);
    assertRefused(store().set(key, bytes(1), Precondition.ABSENT), WRITE);
    TestPublisher<Bytes> pieces = TestPublisher.create();
    assertRefused(store().set(key, pieces, Precondition.NONE), WRITE);
    pieces.assertWasNotSubscribed();
    assertRefused(store().setPartialValues(List.of(new KeyStartValue(key, 0, bytes(1)))), WRITE);
    assertThat(get("a")).isNull();
  }

  @Test
  void a_store_that_cannot_write_on_condition_refuses_to_and_writes_nothing() {
    assumeFalse(can(CONDITIONAL_WRITE));
    needs(WRITE);
    Mono<Void> create = store().set(StoreKey.of("a"), bytes(1), Precondition.ABSENT);
    assertRefused(create, CONDITIONAL_WRITE);
    Mono<Void> part =
        store().setPartialValues(List.of(new KeyStartValue(StoreKey.of("a"), 0, bytes(1))));
    assertThat(errorOf(part))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining("write parts of values");
    assertThat(get("a")).isNull();
  }

  @Test
  void a_store_that_cannot_erase_refuses_to_before_it_asks_for_keys() {
    assumeFalse(can(ERASE));
    seed("a/b");
    assertRefused(store().erase(StoreKey.of("a/b")), ERASE);
    assertRefused(store().erasePrefix(StorePrefix.of("a/")), ERASE);
    TestPublisher<StoreKey> keys = TestPublisher.create();
    assertRefused(store().eraseValues(keys), ERASE);
    keys.assertWasNotSubscribed();
    assertThat(get("a/b")).isNotNull();
  }

  @Test
  void a_store_that_cannot_list_refuses_to() {
    assumeFalse(can(LIST));
    assertRefused(store().list(), LIST);
    assertRefused(store().listPrefix(StorePrefix.ROOT), LIST);
    assertRefused(store().listDir(StorePrefix.ROOT), LIST);
  }

  @Test
  void every_request_can_be_cancelled_at_once() {
    seed("a/b", "a/c");
    StoreKey key = StoreKey.of("a/b");
    List<Publisher<?>> requests =
        List.of(
            store().get(key),
            store().get(key, suffix(1)),
            store().getPartialValues(List.of(part("a/b", from(0)), part("a/c", from(0)))),
            store().list(),
            store().listPrefix(StorePrefix.of("a/")),
            store().listDir(StorePrefix.of("a/")));
    for (int i = 0; i < 20; i++) {
      await(Flux.fromIterable(requests).flatMap(request -> Flux.from(request).take(0)).then());
      await(
          Flux.fromIterable(requests)
              .flatMap(request -> Flux.from(request).takeUntilOther(Mono.just(1)))
              .onErrorComplete()
              .then());
    }
    assertThat(get("a/b")).isEqualTo(Bytes.utf8("a/b"));
  }

  @Test
  void closing_completes() {
    await(store().close());
  }
}
