package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** What opening and listing below a consolidated group costs, and gives. */
class ConsolidatedReadTest {
  private static final String ARRAY = Documents.ARRAY.document().toString();

  /** As zarr-python writes it: each nested group says that nothing is in it. */
  private static final String GROUP =
      "{\"zarr_format\":3,\"node_type\":\"group\",\"consolidated_metadata\":"
          + "{\"kind\":\"inline\",\"must_understand\":false,\"metadata\":{}}}";

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private void putConsolidated(String key, String... entries) {
    put(
        store,
        key,
        GROUP.replace("\"metadata\":{}", "\"metadata\":{" + String.join(",", entries) + "}"));
  }

  /** Nothing but the one document is there, so that nothing else can be read. */
  private void putTree() {
    putConsolidated(
        "zarr.json",
        "\"g\":" + GROUP,
        "\"g/deep\":" + GROUP,
        "\"g/deep/a\":" + ARRAY,
        "\"g/b\":" + ARRAY,
        "\"empty\":" + GROUP);
  }

  private static List<String> paths(Flux<ZarrNode> nodes) {
    return nodes.map(node -> node.path().value()).collectList().block();
  }

  @Test
  void a_tree_costs_one_request() {
    putTree();
    store.counts().reset();
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(paths(root.tree())).containsExactly("/empty", "/g", "/g/b", "/g/deep", "/g/deep/a");
    assertThat(paths(root.children())).containsExactly("/empty", "/g");
    ZarrGroup deep = root.openGroup("g/deep").block();
    assertThat(paths(deep.children())).containsExactly("/g/deep/a");
    assertThat(paths(deep.tree())).containsExactly("/g/deep/a");
    assertThat(deep.openArray("a").block().shape()).hasToString("[4]");
    assertThat(paths(root.openGroup("empty").block().tree())).isEmpty();
    assertThat(root.exists("g/b").block()).isTrue();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactly("zarr.json");
  }

  @Test
  void a_tree_of_version_2_costs_no_request_beyond_the_group() {
    put(store, ".zgroup", "{\"zarr_format\":2}");
    put(
        store,
        ".zmetadata",
        "{\"zarr_consolidated_format\":1,\"metadata\":{\".zgroup\":{\"zarr_format\":2},"
            + "\"g/.zgroup\":{\"zarr_format\":2},\"g/.zattrs\":{\"x\":1},"
            + "\"g/h/.zgroup\":{\"zarr_format\":2}}}");
    store.counts().reset();
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(paths(root.tree())).containsExactly("/g", "/g/h");
    assertThat(root.open("g").block().attributes()).hasToString("{\"x\":1}");
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .containsExactlyInAnyOrder("zarr.json", ".zgroup", ".zattrs", ".zmetadata");
  }

  @Test
  void opening_an_array_requests_nothing_below_it() {
    put(store, "a/.zarray", "{}");
    store.counts().reset();
    assertThatThrownBy(() -> hierarchy.openArray("a").block())
        .isInstanceOf(MetadataException.class);
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .doesNotContain("a/.zmetadata");
  }

  @Test
  void an_option_ignores_consolidated_metadata() {
    putTree();
    put(store, "other/zarr.json", Documents.GROUP);
    put(store, "v2/.zgroup", "{\"zarr_format\":2}");
    ZarrHierarchy plain =
        Zarr.hierarchy(store, ZarrOptions.defaults().withConsolidatedMetadata(false));
    ZarrGroup root = plain.openGroup("").block();
    assertThat(paths(root.tree())).containsExactly("/other");
    assertThatThrownBy(() -> root.open("g").block()).isInstanceOf(NodeNotFoundException.class);
    assertThat(root.metadata().consolidated()).isNotNull();
    store.counts().reset();
    plain.openGroup("v2").block();
    assertThat(store.counts().requests())
        .extracting(StoreRequest::target)
        .doesNotContain("v2/.zmetadata");
  }

  @Test
  void a_node_that_consolidated_metadata_lack_is_requested() {
    putTree();
    put(store, "g/new/zarr.json", Documents.GROUP);
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(root.openGroup("g/new").block().path().value()).isEqualTo("/g/new");
    assertThat(root.exists("g/new").block()).isTrue();
    assertThat(root.exists("g/old").block()).isFalse();
    assertThatThrownBy(() -> root.open("g/old").block()).isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void empty_consolidated_metadata_do_not_mean_that_there_are_no_children() {
    put(store, "zarr.json", GROUP);
    put(store, "g/zarr.json", Documents.GROUP);
    assertThat(paths(hierarchy.openGroup("").block().tree())).containsExactly("/g");
  }

  @Test
  void a_group_below_one_that_is_not_consolidated_may_be() {
    put(store, "zarr.json", Documents.GROUP);
    putConsolidated("g/zarr.json", "\"a\":" + ARRAY);
    ZarrGroup root = hierarchy.openGroup("").block();
    store.counts().reset();
    assertThat(paths(root.tree())).containsExactly("/g", "/g/a");
    assertThat(store.counts().total(StoreOperation.LIST_DIR)).isEqualTo(1);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(1);
  }

  @Test
  void a_broken_entry_is_an_error_of_its_node_and_says_where_it_stands() {
    putConsolidated(
        "top/zarr.json", "\"a\":" + ARRAY.replace("\"int8\"", "\"int7\""), "\"b\":" + ARRAY);
    ZarrGroup top = hierarchy.openGroup("top").block();
    assertThat(top.children().collectList().block())
        .extracting(node -> node.path() + " " + (node instanceof UnreadableNode))
        .containsExactly("/top/a true", "/top/b false");
    assertThatThrownBy(() -> top.open("a").block())
        .hasMessageContaining("int7")
        .hasMessageContaining(
            "(node /top/a, key top/zarr.json, at /consolidated_metadata/metadata/a/data_type)");
  }

  @Test
  void a_node_of_the_other_kind_is_the_same_error_as_from_the_store() {
    putTree();
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThatThrownBy(() -> root.openArray("g").block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("expected an array, found a group (node /g");
    assertThatThrownBy(() -> root.openGroup("g/b").block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("expected a group, found an array (node /g/b");
  }

  @Test
  void consolidated_nodes_are_emitted_on_demand_too() {
    putTree();
    StepVerifier.create(hierarchy.openGroup("").block().tree().map(n -> n.path().name()), 0)
        .expectSubscription()
        .thenRequest(2)
        .expectNext("empty", "g")
        .thenRequest(1)
        .expectNext("b")
        .thenCancel()
        .verify();
  }
}
