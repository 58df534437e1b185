package dev.zarrreactive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ZarrObservationsTest {
  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final ZarrOptions options =
      ZarrOptions.defaults().withObserver(ZarrObservations.of(registry));
  private final Store store = MemoryStore.create();

  @BeforeEach
  void write() {
    Rows.write(3, store);
  }

  private List<Observation.Context> observed(String name) {
    List<Observation.Context> all = new ArrayList<>();
    TestObservationRegistryAssert.assertThat(registry)
        .forAllObservationsWithNameEqualTo(name, observation -> {});
    TestObservationRegistryAssert.assertThat(registry)
        .hasHandledContextsThatSatisfy(
            contexts -> contexts.stream().filter(c -> c.getName().equals(name)).forEach(all::add));
    return all;
  }

  private static String value(Observation.Context context, String key) {
    return context.getAllKeyValues().stream()
        .filter(pair -> pair.getKey().equals(key))
        .map(pair -> pair.getValue())
        .findFirst()
        .orElse("none");
  }

  @Test
  void a_read_is_a_child_of_the_subscribers_observation_and_the_parent_of_its_requests() {
    ZarrArray array = Rows.open(store, options);
    Observation request = Observation.start("http.server.requests", registry);
    array
        .read(Selection.all())
        .contextWrite(context -> context.put(ZarrObservations.KEY, request))
        .block();
    request.stop();
    Observation.Context read =
        observed("zarr.operation").stream()
            .filter(context -> value(context, "operation").equals("read"))
            .findFirst()
            .orElseThrow();
    assertThat(read.getParentObservation()).isSameAs(request);
    assertThat(read.getContextualName()).isEqualTo("zarr read");
    assertThat(value(read, "zarr.path")).isEqualTo("/a");
    assertThat(value(read, "outcome")).isEqualTo("completed");
    List<Observation.Context> chunks =
        observed("zarr.store.request").stream()
            .filter(context -> value(context, "zarr.store.target").startsWith("a/c/"))
            .toList();
    assertThat(chunks)
        .hasSize(3)
        .allSatisfy(
            chunk -> {
              assertThat(chunk.getParentObservation().getContextView()).isSameAs(read);
              assertThat(value(chunk, "operation")).isEqualTo("get");
              assertThat(value(chunk, "outcome")).isEqualTo("completed");
              assertThat(value(chunk, "zarr.store.bytes")).isEqualTo("16");
            });
    TestObservationRegistryAssert.assertThat(registry)
        .hasNumberOfObservationsWithNameEqualTo("zarr.operation", 2) // with the open
        .hasObservationWithNameEqualTo("zarr.operation")
        .that()
        .hasBeenStarted()
        .hasBeenStopped();
  }

  @Test
  void paths_and_keys_are_of_high_cardinality() {
    Rows.open(store, options).read(Selection.all()).block();
    assertThat(observed("zarr.operation"))
        .allSatisfy(
            context ->
                assertThat(context.getLowCardinalityKeyValues())
                    .extracting(pair -> pair.getKey())
                    .containsExactlyInAnyOrder("operation", "outcome"));
    assertThat(observed("zarr.store.request"))
        .allSatisfy(
            context ->
                assertThat(context.getLowCardinalityKeyValues())
                    .extracting(pair -> pair.getKey())
                    .containsExactlyInAnyOrder("operation", "outcome"));
  }

  @Test
  void the_observation_of_a_request_is_in_the_context_of_what_is_below() {
    Queue<Observation> seen = new ConcurrentLinkedQueue<>();
    Store client =
        new DelegatingStore(store) {
          @Override
          public Mono<Bytes> get(StoreKey key, ByteRange range) {
            return Mono.deferContextual(
                context -> {
                  seen.add(context.<Observation>get(ZarrObservations.KEY));
                  return super.get(key, range);
                });
          }
        };
    Rows.open(client, options).read(Selection.all()).block();
    assertThat(seen)
        .isNotEmpty()
        .allMatch(each -> each.getContextView().getName().equals("zarr.store.request"));
  }

  @Test
  void an_error_and_a_cancel_end_their_observations() {
    ZarrArray array = Rows.open(store, options);
    store.set(StoreKey.of("a/c/1"), Bytes.utf8("damaged")).block();
    StepVerifier.create(array.read(Selection.all())).expectError().verify();
    Selection undamaged = Selection.parse(":4");
    StepVerifier.create(array.chunks(undamaged), 0).expectSubscription().thenCancel().verify();
    List<Observation.Context> operations = observed("zarr.operation");
    assertThat(operations)
        .extracting(context -> value(context, "outcome"))
        .containsExactly("completed", "failed", "cancelled");
    assertThat(operations.get(1).getError()).hasMessageContaining("a/c/1");
    assertThat(operations.get(2).getError()).isNull();
  }

  @Test
  void a_registry_without_handlers_leaves_the_context_as_it_is() {
    Queue<Boolean> seen = new ConcurrentLinkedQueue<>();
    Store client =
        new DelegatingStore(store) {
          @Override
          public Mono<Bytes> get(StoreKey key, ByteRange range) {
            return Mono.deferContextual(
                context -> {
                  seen.add(context.hasKey(ZarrObservations.KEY));
                  return super.get(key, range);
                });
          }
        };
    ZarrObservations none = ZarrObservations.of(ObservationRegistry.create());
    Rows.open(client, ZarrOptions.defaults().withObserver(none)).read(Selection.all()).block();
    assertThat(seen).isNotEmpty().containsOnly(false);
  }
}
