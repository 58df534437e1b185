package dev.zarrreactive.testkit;

import static dev.zarrreactive.testkit.StoreFixture.await;
import static dev.zarrreactive.testkit.StoreFixture.bytes;
import static dev.zarrreactive.testkit.StoreFixture.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.FailingAtOnceStore.Failure;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The contract of a store that passes requests on to another one, which may fail at once: while it
 * is subscribed to, or by a method that throws. Each failure is an error of that request alone.
 * Extend it beside {@link StoreContract}, with JUnit 5:
 *
 * <pre>{@code
 * class MyDecoratorFailuresTest extends DecoratorContract {
 *   @Override
 *   protected Store decorate(Store delegate) {
 *     return new MyDecorator(delegate);
 *   }
 * }
 * }</pre>
 */
public abstract class DecoratorContract {
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final int TIMES = 200;

  /** For subclasses. */
  protected DecoratorContract() {}

  /** Returns a decorator that can read and write. Called once for each test. */
  protected abstract Store decorate(Store delegate);

  @ParameterizedTest
  @EnumSource(names = {"SIGNALLED", "THROWN"})
  void a_request_that_fails_at_once_is_an_error_of_that_request_alone(Failure failure) {
    FailingAtOnceStore delegate = FailingAtOnceStore.of(MemoryStore.create(), key -> Failure.NONE);
    Store store = decorate(delegate);
    await(store.set(KEY, bytes(1, 2, 3)));
    requests(store)
        .forEach(
            (name, request) -> {
              delegate.fail(key -> failure);
              for (int i = 0; i < TIMES; i++) {
                assertThat(errorOf(request))
                    .as(name)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("at once");
              }
              delegate.behave();
              assertThat(errorOf(request)).as(name + " afterwards").isNull();
            });
    await(store.set(KEY, bytes(7)));
    assertThat(await(store.get(KEY))).isEqualTo(bytes(7));
  }

  /** Requests of which none is answered by what an earlier one has read. */
  private static Map<String, Flux<?>> requests(Store store) {
    StoreKey fresh = StoreKey.of("a/c/1");
    Map<String, Flux<?>> requests = new LinkedHashMap<>();
    requests.put("get", Flux.defer(() -> store.get(fresh)));
    requests.put(
        "get of a range",
        Flux.defer(() -> store.get(StoreKey.of("a/c/2"), new ByteRange.Suffix(1))));
    requests.put(
        "get of a version",
        Flux.defer(() -> store.getVersioned(StoreKey.of("a/c/3"), null, ReadCondition.ALWAYS)));
    requests.put("set", Flux.defer(() -> store.set(KEY, bytes(1))));
    requests.put("set on condition", Flux.defer(() -> store.set(KEY, bytes(1), Precondition.NONE)));
    requests.put(
        "set of pieces",
        Flux.defer(() -> store.set(KEY, Flux.just(bytes(1), bytes(2)), Precondition.NONE)));
    requests.put("erase", Flux.defer(() -> store.erase(fresh)));
    return requests;
  }

  @Test
  void several_requests_at_a_time_fail_at_once_and_the_next_ones_are_answered() {
    FailingAtOnceStore delegate =
        FailingAtOnceStore.of(MemoryStore.create(), key -> Failure.SIGNALLED);
    Store store = decorate(delegate);
    Flux<Bytes> failing =
        Flux.range(0, TIMES)
            .flatMap(
                number -> store.get(StoreKey.of("a/c/" + number)).onErrorResume(e -> Mono.empty()),
                TIMES);
    await(failing.then());
    delegate.behave();
    Flux<Boolean> answered =
        Flux.range(0, TIMES)
            .flatMap(
                number ->
                    store
                        .set(StoreKey.of("b/c/" + number), bytes(number))
                        .then(store.get(StoreKey.of("b/c/" + number)))
                        .map(bytes(number)::equals),
                TIMES);
    assertThat(await(answered)).hasSize(TIMES).containsOnly(true);
  }
}
