package dev.zarrreactive.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What nodes of Zarr v2, and nodes of which nobody knows the version, cost in requests. */
class V2RequestsTest {
  private static final String GROUP = "{\"zarr_format\": 2}";
  private static final String GROUP_V3 = "{\"zarr_format\": 3, \"node_type\": \"group\"}";

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  @Test
  void a_group_of_version_2_costs_a_second_round_trip() {
    put("g/.zgroup", GROUP);
    put("g/.zattrs", "{\"a\": 1}");
    HeldRequests first = store.hold(request -> true);
    var opened = Zarr.hierarchy(store).open("g").toFuture();
    assertThat(targets()).containsExactlyInAnyOrder("g/zarr.json", "g/.zarray", "g/.zgroup");
    first.release();
    assertThat(opened.join().attributes().members()).hasSize(1);
    assertThat(targets()).hasSize(5).contains("g/.zattrs", "g/.zmetadata");
  }

  @Test
  void a_group_that_is_asked_for_as_one_costs_three_requests_at_once() {
    put("g/.zgroup", GROUP);
    put("g/.zattrs", "{\"a\": 1}");
    HeldRequests all = store.hold(request -> true);
    var opened = Zarr.hierarchy(store).openGroup("g").toFuture();
    assertThat(targets()).containsExactlyInAnyOrder("g/zarr.json", "g/.zgroup", "g/.zattrs");
    all.release();
    assertThat(opened.join().attributes().members()).hasSize(1);
    assertThat(targets()).hasSize(4).contains("g/.zmetadata");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void an_array_of_unknown_format_costs_three_requests_and_one_round_trip(int zarrFormat) {
    createArray(zarrFormat);
    HeldRequests all = store.hold(request -> true);
    var opened = Zarr.hierarchy(store).openArray("a").toFuture();
    assertThat(targets()).containsExactlyInAnyOrder("a/zarr.json", "a/.zarray", "a/.zattrs");
    all.release();
    assertThat(opened.join().shape()).isEqualTo(Shape.of(4));
    assertThat(store.counts().total()).isEqualTo(3);
    assertThat(store.counts().inFlight()).isZero();
  }

  @Test
  void what_is_an_array_and_a_group_is_an_array_for_the_requests_of_an_array() {
    createArray(2);
    put("a/.zgroup", GROUP);
    assertThat(Zarr.hierarchy(store).open("a").block()).isInstanceOf(ZarrArray.class);
    assertThat(targets())
        .containsExactlyInAnyOrder("a/zarr.json", "a/.zarray", "a/.zgroup", "a/.zattrs");
  }

  private void createArray(int zarrFormat) {
    ArrayMetadataBuilder array = ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).uncompressed();
    Zarr.hierarchy(memory).createArray("a", array.zarrFormat(zarrFormat).build()).block();
  }

  private List<String> targets() {
    return store.counts().requests().stream().map(StoreRequest::target).toList();
  }

  @Test
  void what_is_of_version_3_does_not_wait_for_the_other_documents() {
    put("g/zarr.json", GROUP_V3);
    HeldRequests old = store.hold(isOld());
    ZarrNode opened = Waiting.await(Zarr.hierarchy(store).open("g"));
    assertThat(opened.metadata().zarrFormat()).isEqualTo(3);
    Waiting.eventually("the other requests are given up", () -> store.counts().inFlight() == 0);
    assertThat(store.counts().total()).isLessThanOrEqualTo(5);
    old.release();
  }

  @Test
  void what_the_other_documents_fail_with_does_not_matter_to_version_3() {
    put("g/zarr.json", GROUP_V3);
    store.fail(isOld(), () -> new AccessDeniedException("403", Location.UNKNOWN));
    HeldRequests document = store.hold(isOld().negate());
    var opened = Zarr.hierarchy(store).open("g").toFuture();
    assertThat(opened).isNotDone();
    document.release();
    assertThat(opened.join().metadata().zarrFormat()).isEqualTo(3);
  }

  @Test
  void an_error_of_the_document_of_version_3_is_not_taken_for_its_absence() {
    put("g/.zgroup", GROUP);
    store.fail(isOld().negate(), () -> new AccessDeniedException("403", Location.UNKNOWN));
    assertThat(Waiting.errorOf(Zarr.hierarchy(store).open("g")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("node /g");
  }

  @Test
  void children_of_a_group_of_version_3_cost_one_request_each() {
    put("zarr.json", GROUP_V3);
    for (int i = 0; i < 10; i++) {
      put("g" + i + "/zarr.json", GROUP_V3);
    }
    ZarrGroup root = Waiting.await(Zarr.hierarchy(store).openGroup(""));
    store.counts().reset();
    assertThat(Waiting.await(root.children())).hasSize(10);
    assertThat(store.counts().total()).isEqualTo(1 + 10);
  }

  @Test
  void children_of_a_group_of_version_2_cost_one_round_trip() {
    put(".zgroup", GROUP);
    for (int i = 0; i < 10; i++) {
      put("g" + i + "/.zgroup", GROUP);
    }
    ZarrGroup root = Waiting.await(Zarr.hierarchy(store).openGroup(""));
    store.counts().reset();
    store.delay(Duration.ofMillis(50));
    assertThat(Waiting.await(root.children())).hasSize(10);
    assertThat(store.counts().total()).isEqualTo(1 + 4 * 10);
    assertThat(store.counts().maxInFlight()).isEqualTo(1 + 4 * 10);
  }

  private static Predicate<StoreRequest> isOld() {
    return request -> !request.target().endsWith("zarr.json");
  }

  private void put(String key, String json) {
    memory.set(StoreKey.of(key), Bytes.utf8(json)).block();
  }
}
