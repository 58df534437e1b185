package dev.zarrreactive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.MemoryStore;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StoreRequest;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What nodes of Zarr v2, and nodes of which nobody knows the version, cost in requests. */
class V2RequestsTest {
  private static final String GROUP = "{\"zarr_format\": 2}";
  private static final String GROUP_V3 = "{\"zarr_format\": 3, \"node_type\": \"group\"}";

  private final MemoryStore memory = MemoryStore.create();
  private final InstrumentedStore store = InstrumentedStore.of(memory);

  @Test
  void a_node_of_unknown_version_is_opened_in_one_round_trip() {
    put("g/.zgroup", GROUP);
    put("g/.zattrs", "{\"a\": 1}");
    HeldRequests all = store.hold(request -> true);
    var opened = Zarr.open(store, "g").toFuture();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactlyInAnyOrder(
            "g/zarr.json", "g/.zarray", "g/.zgroup", "g/.zattrs", "g/.zmetadata");
    all.release();
    assertThat(opened.join().attributes().members()).hasSize(1);
    assertThat(store.counts().total()).isEqualTo(5);
  }

  @Test
  void what_is_of_version_3_does_not_wait_for_the_other_documents() {
    put("g/zarr.json", GROUP_V3);
    HeldRequests old = store.hold(isOld());
    ZarrNode opened = StoreFixture.await(Zarr.open(store, "g"));
    assertThat(opened.metadata().zarrFormat()).isEqualTo(3);
    assertThat(store.counts().inFlight()).isZero();
    assertThat(store.counts().total()).isLessThanOrEqualTo(5);
    old.release();
  }

  @Test
  void what_the_other_documents_fail_with_does_not_matter_to_version_3() {
    put("g/zarr.json", GROUP_V3);
    store.fail(isOld(), () -> new AccessDeniedException("403", Location.UNKNOWN));
    HeldRequests document = store.hold(isOld().negate());
    var opened = Zarr.open(store, "g").toFuture();
    assertThat(opened).isNotDone();
    document.release();
    assertThat(opened.join().metadata().zarrFormat()).isEqualTo(3);
  }

  @Test
  void an_error_of_the_document_of_version_3_is_not_taken_for_its_absence() {
    put("g/.zgroup", GROUP);
    store.fail(isOld().negate(), () -> new AccessDeniedException("403", Location.UNKNOWN));
    assertThat(StoreFixture.errorOf(Zarr.open(store, "g")))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("node /g");
  }

  @Test
  void children_of_a_group_of_version_3_cost_one_request_each() {
    put("zarr.json", GROUP_V3);
    for (int i = 0; i < 10; i++) {
      put("g" + i + "/zarr.json", GROUP_V3);
    }
    ZarrGroup root = StoreFixture.await(Zarr.openGroup(store, ""));
    store.counts().reset();
    assertThat(StoreFixture.await(root.children())).hasSize(10);
    assertThat(store.counts().total()).isEqualTo(1 + 10);
  }

  @Test
  void children_of_a_group_of_version_2_cost_one_round_trip() {
    put(".zgroup", GROUP);
    for (int i = 0; i < 10; i++) {
      put("g" + i + "/.zgroup", GROUP);
    }
    ZarrGroup root = StoreFixture.await(Zarr.openGroup(store, ""));
    store.counts().reset();
    store.delay(Duration.ofMillis(50));
    assertThat(StoreFixture.await(root.children())).hasSize(10);
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
