package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.ARRAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class OpenNodesTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  @Test
  void a_node_is_opened_as_what_it_is() {
    hierarchy.createArray("g/a", ARRAY).block();
    assertThat(hierarchy.open("g/a").block()).isInstanceOf(ZarrArray.class);
    assertThat(hierarchy.open("/g").block()).isInstanceOf(ZarrGroup.class);
    assertThat(hierarchy.open("").block()).isInstanceOf(ZarrGroup.class);
    ZarrGroup group = hierarchy.openGroup("g").block();
    assertThat(group.open("a").block().path().value()).isEqualTo("/g/a");
    assertThat(group.openArray("a").block().path().value()).isEqualTo("/g/a");
    assertThat(group.exists("a").block()).isTrue();
    assertThat(group.exists("b").block()).isFalse();
  }

  @Test
  void opening_costs_one_request() {
    hierarchy.createArray("g/a", ARRAY).block();
    store.counts().reset();
    hierarchy.openArray("g/a").block();
    hierarchy.exists("g/a").block();
    assertThat(store.counts().requests())
        .extracting(request -> request.target())
        .containsExactly("g/a/zarr.json", "g/a/zarr.json");
  }

  @Test
  void a_node_of_the_other_kind_is_an_error_that_says_so() {
    hierarchy.createArray("g/a", ARRAY).block();
    assertWrongKind(hierarchy.openGroup("g/a"), "/g/a", "expected a group, found an array");
    assertWrongKind(hierarchy.openArray("g"), "/g", "expected an array, found a group");
  }

  private static void assertWrongKind(Mono<?> open, String path, String message) {
    assertThatThrownBy(open::block)
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.statement()).isEqualTo(message);
              assertThat(e.location().nodePath()).isEqualTo(path);
              assertThat(e.location().jsonPointer()).isEqualTo("/node_type");
            });
  }

  @Test
  void a_prefix_without_a_document_is_no_group() {
    hierarchy.createArray("a", ARRAY).block();
    Documents.putArray(store, "implicit/b");
    for (String path : List.of("implicit", "nowhere", "a/c")) {
      assertThatThrownBy(() -> hierarchy.openGroup(path).block())
          .isInstanceOfSatisfying(
              NodeNotFoundException.class,
              e -> {
                assertThat(e.location().nodePath()).isEqualTo("/" + path);
                assertThat(e.location().storeKey()).isEqualTo(path + "/zarr.json");
              });
      assertThat(hierarchy.exists(path).block()).isFalse();
    }
  }

  @Test
  void what_cannot_be_asked_for_is_not_taken_for_absent() {
    hierarchy.createArray("a", ARRAY).block();
    store.fail(request -> true, () -> new AccessDeniedException("not yours", Location.UNKNOWN));
    for (Mono<?> question : List.of(hierarchy.open("a"), hierarchy.exists("a"))) {
      assertThatThrownBy(question::block)
          .isInstanceOfSatisfying(
              AccessDeniedException.class,
              e -> assertThat(e.location().nodePath()).isEqualTo("/a"));
    }
  }

  @Test
  void a_node_of_version_1_is_called_by_its_name() {
    Documents.put(store, "a/meta", "{}");
    assertThatThrownBy(() -> hierarchy.open("a").block())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("Zarr v1 is not supported")
        .hasMessageContaining("node /a");
  }

  @ParameterizedTest
  @CsvSource({"a/.zarray, a", "a/.zgroup, a", ".zgroup, ''"})
  void a_node_of_version_2_is_read_by_the_rules_of_version_2(String key, String path) {
    Documents.put(store, key, "{}");
    assertThatThrownBy(() -> hierarchy.open(path).block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("\"zarr_format\" is missing")
        .hasMessageContaining("key " + key);
  }

  @Test
  void a_node_of_the_2022_draft_is_called_by_its_name_although_it_lies_elsewhere() {
    Documents.put(
        store, "zarr.json", "{\"zarr_format\":\"https://purl.org/zarr/spec/protocol/core/3.0\"}");
    Documents.put(store, "meta/root/a.array.json", "{}");
    for (String path : List.of("", "a")) {
      assertThatThrownBy(() -> hierarchy.open(path).block())
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("2022 draft");
    }
  }

  @Test
  void a_path_that_is_none_is_refused_at_once() {
    for (String path : List.of("a//b", "..", "a/")) {
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.open(path));
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.exists(path));
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.createArray(path, ARRAY));
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.erase(path));
    }
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void a_name_that_zarr_3_reserves_is_refused_at_once_where_it_would_be_created() {
    for (String path : List.of("__x", "a/zarr.json", "...", "__x/a")) {
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.createArray(path, ARRAY));
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.createGroup(path));
      assertThatIllegalArgumentException().isThrownBy(() -> hierarchy.create(Map.of(path, ARRAY)));
      assertThat(hierarchy.exists(path).block()).isFalse();
    }
    hierarchy.createArray("a", ARRAY).block();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hierarchy.move("a", "__b").block())
        .withMessageContaining("Zarr v3 reserves");
    assertThat(keys()).containsExactly("a/zarr.json", "zarr.json");
  }

  @Test
  void erasing_takes_the_node_and_everything_below_and_nothing_else() {
    hierarchy.createArray("g/a", ARRAY).block();
    hierarchy.createArray("g/ab", ARRAY).block();
    Documents.put(store, "g/a/c/0", "chunk");
    hierarchy.erase("g/a").block();
    assertThat(keys()).containsExactly("g/ab/zarr.json", "g/zarr.json", "zarr.json");
    hierarchy.erase("nowhere").block();
    hierarchy.openGroup("g").block().erase("ab").block();
    assertThat(keys()).containsExactly("g/zarr.json", "zarr.json");
    hierarchy.erase("").block();
    assertThat(keys()).isEmpty();
  }

  private List<String> keys() {
    return store.list().map(StoreKey::value).sort().collectList().block();
  }

  @Test
  void changed_attributes_leave_everything_else_as_it_was() {
    String document =
        "{\"node_type\":\"group\",\"extra\":{\"must_understand\":false,\"n\":1.50},"
            + "\"attributes\":{\"z\":1e2,\"a\":18446744073709551616},"
            + "\"consolidated_metadata\":{\"must_understand\":false,\"kind\":\"inline\","
            + "\"metadata\":{}},\"zarr_format\":3}";
    Documents.put(store, "g/zarr.json", document);
    ZarrGroup group = hierarchy.openGroup("g").block();
    ZarrGroup changed = group.updateAttributes(old -> old.with("new", true)).block();
    String expected =
        document.replace("18446744073709551616}", "18446744073709551616,\"new\":true}");
    assertThat(changed.metadata().document()).hasToString(expected);
    assertThat(hierarchy.openGroup("g").block().metadata().document()).hasToString(expected);
    assertThat(group.attributes().get("new")).as("a snapshot").isNull();
  }

  @Test
  void of_many_changes_of_attributes_none_is_lost() {
    ZarrArray array = hierarchy.createArray("a", ARRAY).block();
    Flux.range(0, 50)
        .flatMap(
            i ->
                array
                    .updateAttributes(old -> old.with("key" + i, i))
                    .subscribeOn(Schedulers.parallel()))
        .blockLast();
    assertThat(hierarchy.openArray("a").block().attributes().members()).hasSize(50);
  }

  @Test
  void a_node_that_is_gone_has_no_attributes_to_change() {
    ZarrArray array = hierarchy.createArray("a", ARRAY).block();
    hierarchy.erase("a").block();
    assertThatThrownBy(() -> array.updateAttributes(old -> JsonObject.EMPTY).block())
        .isInstanceOf(NodeNotFoundException.class);
    assertThat(hierarchy.exists("a").block()).isFalse();
  }
}
