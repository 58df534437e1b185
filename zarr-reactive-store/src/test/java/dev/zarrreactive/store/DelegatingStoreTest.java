package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** No operation of the interface, also none that is added later, gets lost in a decorator. */
class DelegatingStoreTest {
  private static final Set<String> CHANGING = Set.of("set", "erase", "erasePrefix");

  static List<Method> operations() {
    return RecordingStore.operations();
  }

  @Test
  void operations_on_several_keys_are_made_of_the_decorators_own_single_ones() throws Exception {
    for (String several : RecordingStore.COMPOSED) {
      assertThat(DelegatingStore.class.getDeclaredMethods())
          .extracting(Method::getName)
          .doesNotContain(several);
    }
    List<StoreKey> asked = new ArrayList<>();
    Store decorator =
        new DelegatingStore(MemoryStore.create()) {
          @Override
          public Mono<Void> erase(StoreKey key) {
            asked.add(key);
            return super.erase(key);
          }

          @Override
          public Mono<Bytes> get(StoreKey key, ByteRange range) {
            asked.add(key);
            return super.get(key, range);
          }

          @Override
          public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
            asked.add(key);
            return super.set(key, value, precondition);
          }
        };
    StoreKey a = StoreKey.of("a");
    StoreKey b = StoreKey.of("b");
    decorator.eraseValues(Flux.just(a)).block(Duration.ofSeconds(60));
    decorator
        .getPartialValues(List.of(new KeyRange(b, new ByteRange.From(0))))
        .blockLast(Duration.ofSeconds(60));
    StoreKey c = StoreKey.of("c");
    decorator
        .setPartialValues(List.of(new KeyStartValue(c, 0, Bytes.utf8("c"))))
        .block(Duration.ofSeconds(60));
    assertThat(asked).containsExactly(a, b, c);
  }

  @ParameterizedTest
  @MethodSource("operations")
  void every_operation_goes_to_the_same_operation_with_the_same_arguments(Method operation)
      throws Exception {
    RecordingStore recording = new RecordingStore();
    Object[] arguments = RecordingStore.someArguments(operation);
    perform(new DelegatingStore(recording.store) {}, operation, arguments);
    assertThat(recording.calls)
        .containsExactly(new RecordingStore.Call(operation, Arrays.asList(arguments)));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void every_operation_is_written_out_in_the_base_of_decorators(Method operation) throws Exception {
    assertThat(
            DelegatingStore.class.getDeclaredMethod(
                operation.getName(), operation.getParameterTypes()))
        .isNotNull();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void a_read_only_store_refuses_what_changes_it_and_passes_the_rest_on(Method operation)
      throws Exception {
    RecordingStore recording = new RecordingStore();
    Store readOnly = Stores.readOnly(recording.store);
    Object[] arguments = RecordingStore.someArguments(operation);
    if (CHANGING.contains(operation.getName())) {
      assertThat(catchThrowable(() -> perform(readOnly, operation, arguments)))
          .isInstanceOf(StoreCapabilityException.class);
      assertThat(recording.calls).allMatch(call -> call.method().getName().equals("capabilities"));
    } else {
      perform(readOnly, operation, arguments);
      assertThat(recording.calls).extracting(call -> call.method()).contains(operation);
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void every_operation_of_a_prefixed_store_goes_below_the_prefix(Method operation)
      throws Exception {
    RecordingStore recording = new RecordingStore();
    Store prefixed = Stores.prefixed(recording.store, StorePrefix.of("p/"));
    Object[] arguments = RecordingStore.someArguments(operation);
    perform(prefixed, operation, arguments);
    assertThat(recording.calls).isNotEmpty();
    for (RecordingStore.Call call : recording.calls) {
      for (Object argument : call.arguments()) {
        assertBelowPrefix(argument);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void every_operation_of_the_other_decorators_reaches_the_store(Method operation)
      throws Exception {
    for (UnaryOperator<Store> decorator :
        List.<UnaryOperator<Store>>of(
            store -> Stores.limited(store, 1),
            store -> Stores.cached(store, CacheOptions.ofBytes(1000)),
            store -> Stores.observed(store, new StoreObserver() {}))) {
      RecordingStore recording = new RecordingStore();
      perform(decorator.apply(recording.store), operation, RecordingStore.someArguments(operation));
      assertThat(recording.calls).as("%s", operation).isNotEmpty();
    }
  }

  private static void perform(Store store, Method operation, Object[] arguments) throws Exception {
    if (operation.invoke(store, arguments) instanceof Publisher<?> publisher) {
      Flux.from(publisher).then().block(Duration.ofSeconds(60));
    }
  }

  private static void assertBelowPrefix(Object argument) {
    if (argument instanceof StoreKey || argument instanceof StorePrefix) {
      assertThat(argument.toString()).startsWith("p/");
    } else if (argument instanceof Publisher<?> several) {
      Flux.from(several).toIterable().forEach(DelegatingStoreTest::assertBelowPrefix);
    } else {
      assertThat(argument)
          .isInstanceOfAny(
              ByteRange.class, Bytes.class, Precondition.class, ReadCondition.class, Version.class);
    }
  }
}
