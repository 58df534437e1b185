package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The common base of all parts of {@link StoreContract}: the store, its hooks, and ways to ask it.
 */
abstract class StoreFixture {
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Nullable private Store store;

  StoreFixture() {}

  /** A new, empty store. Called before each test. */
  protected abstract Store createStore();

  /**
   * Puts values into {@code store}. Override it where {@link #createStore()} makes a store that
   * cannot write: put them there by another way.
   */
  protected void seed(Store store, Map<StoreKey, Bytes> values) {
    await(
        Flux.fromIterable(values.entrySet())
            .concatMap(entry -> store.set(entry.getKey(), entry.getValue()))
            .then());
  }

  /** Called after each test, with the store of the test; closes it. */
  protected void discard(Store store) {
    await(store.close());
  }

  /**
   * Override with false where the store cannot hold a value at {@code a} and one at {@code a/b}.
   * While it holds one of them, a read of the other may then be an error.
   */
  protected boolean keysMayBePrefixes() {
    return true;
  }

  /** Override where the place that the store keeps its values in does not know all of Unicode. */
  protected boolean canHold(StoreKey key) {
    return true;
  }

  /**
   * Words that {@code toString} and errors must not show, such as the password it was made with.
   */
  protected Set<String> secrets() {
    return Set.of();
  }

  @BeforeEach
  final void create() {
    store = createStore();
  }

  @AfterEach
  final void discard() {
    if (store != null) {
      discard(store);
    }
  }

  final Store store() {
    if (store == null) {
      throw new IllegalStateException("createStore() has not been called yet");
    }
    return store;
  }

  final boolean can(StoreCapability capability) {
    return store().capabilities().contains(capability);
  }

  /** Skips the test where the store cannot do what it is about; that it refuses is another test. */
  final void needs(StoreCapability... capabilities) {
    for (StoreCapability capability : capabilities) {
      assumeTrue(can(capability), () -> store() + " lacks " + capability);
    }
  }

  /** Seeds the store with each key's own name as its value. */
  final void seed(String... keys) {
    Map<StoreKey, Bytes> values = new LinkedHashMap<>();
    List.of(keys).forEach(key -> values.put(StoreKey.of(key), Bytes.utf8(key)));
    seed(store(), values);
  }

  final void seed(String key, Bytes value) {
    seed(store(), Map.of(StoreKey.of(key), value));
  }

  final @Nullable Bytes get(String key) {
    return await(store().get(StoreKey.of(key)));
  }

  final void set(String key, Bytes value) {
    await(store().set(StoreKey.of(key), value));
  }

  final void setAbsent(String key, Bytes value) {
    await(store().set(StoreKey.of(key), value, Precondition.ABSENT));
  }

  final List<String> keys(Flux<StoreKey> listing) {
    return await(listing.map(StoreKey::value));
  }

  static Bytes bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Bytes.wrap(bytes);
  }

  /** The result; subscribed on a thread that must not block, where BlockHound can see it. */
  static <T> @Nullable T await(Mono<T> result) {
    return result.subscribeOn(Schedulers.parallel()).block(TIMEOUT);
  }

  /** The results; subscribed on a thread that must not block. */
  static <T> List<T> await(Flux<T> results) {
    List<T> all = await(results.collectList());
    return all == null ? List.of() : all;
  }

  /** The error that the publisher ends in; null where it completes. */
  static @Nullable Throwable errorOf(Publisher<?> publisher) {
    return catchThrowable(() -> await(Flux.from(publisher).then()));
  }

  static void assertRefused(Publisher<?> publisher, StoreCapability lacking) {
    assertThat(errorOf(publisher))
        .isInstanceOf(StoreCapabilityException.class)
        .hasMessageContaining(lacking.name());
  }
}
