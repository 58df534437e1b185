package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.put;
import static dev.zarrreactive.hierarchy.Documents.putArray;
import static dev.zarrreactive.hierarchy.Documents.putGroup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class ListNodesTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  private static ZarrGroup root(Store store) {
    return Zarr.hierarchy(store).openGroup("/").block();
  }

  private static List<String> paths(Flux<ZarrNode> nodes) {
    return nodes.map(node -> node.path().value()).collectList().block();
  }

  @Test
  void children_come_in_the_order_of_the_listing_however_late_their_documents_are() {
    putGroup(store, "");
    IntStream.range(0, 40).forEach(i -> putGroup(store, "g" + (10 + i)));
    HeldRequests first = store.hold(request -> request.target().equals("g10/zarr.json"));
    StepVerifier.create(root(store).children().map(node -> node.path().name()))
        .expectSubscription()
        .then(() -> assertThat(first.waiting()).isEqualTo(1))
        .then(first::release)
        .expectNextSequence(IntStream.range(0, 40).mapToObj(i -> "g" + (10 + i)).toList())
        .expectComplete()
        .verify(Waiting.PATIENCE);
  }

  @Test
  void a_group_without_children_has_none() {
    putGroup(store, "");
    assertThat(paths(root(store).children())).isEmpty();
    assertThat(paths(root(store).tree())).isEmpty();
  }

  @Test
  void nothing_below_an_array_is_listed() {
    putGroup(store, "");
    putArray(store, "a");
    put(store, "a/c/0/0", "chunk");
    ZarrGroup root = root(store);
    store.counts().reset();
    assertThat(paths(root.tree())).containsExactly("/a");
    assertThat(store.counts().requests())
        .extracting(request -> request.operation() + " " + request.target())
        .containsExactly("LIST_DIR ", "GET a/zarr.json");
  }

  @Test
  void a_tree_costs_a_listing_for_each_group_and_a_document_for_each_node() {
    putGroup(store, "");
    for (int i = 0; i < 5; i++) {
      putGroup(store, "g" + i);
      putArray(store, "g" + i + "/a");
      putArray(store, "g" + i + "/b");
    }
    ZarrGroup root = root(store);
    store.counts().reset();
    assertThat(paths(root.tree())).hasSize(15);
    assertThat(store.counts().total(StoreOperation.LIST_DIR)).isEqualTo(6);
    assertThat(store.counts().total(StoreOperation.GET)).isEqualTo(15);
    assertThat(store.counts().total()).isEqualTo(21);
  }

  @Test
  void the_groups_of_a_level_are_listed_concurrently() {
    putGroup(store, "");
    for (int i = 0; i < 8; i++) {
      putGroup(store, "g" + i);
      putGroup(store, "g" + i + "/x");
    }
    ZarrGroup root = root(store);
    HeldRequests listings =
        store.hold(
            request ->
                request.operation() == StoreOperation.LIST_DIR && !request.target().isEmpty());
    HeldRequests documents = store.hold(request -> request.target().matches("g./x/zarr.json"));
    StepVerifier.create(root.tree().map(node -> node.path().value()))
        .expectNextCount(8)
        .then(() -> eventually(listings, 8))
        .then(listings::release)
        .then(() -> eventually(documents, 8))
        .then(documents::release)
        .expectNextCount(8)
        .expectComplete()
        .verify(Waiting.PATIENCE);
  }

  private static void eventually(HeldRequests held, int waiting) {
    Waiting.eventually("requests wait", () -> held.waiting() == waiting);
  }

  @Test
  void without_demand_few_children_are_looked_up() {
    putGroup(store, "");
    IntStream.range(0, 500).forEach(i -> putGroup(store, "g" + i));
    ZarrGroup root = root(store);
    store.counts().reset();
    StepVerifier.create(root.children(), 0)
        .expectSubscription()
        .then(() -> assertThat(store.counts().total(StoreOperation.GET)).isLessThanOrEqualTo(64))
        .thenRequest(10)
        .expectNextCount(10)
        .then(() -> assertThat(store.counts().total(StoreOperation.GET)).isLessThanOrEqualTo(74))
        .thenCancel()
        .verify(Waiting.PATIENCE);
    assertThat(store.counts().inFlight()).isZero();
  }

  @Test
  void a_cancel_ends_all_look_ups() {
    putGroup(store, "");
    IntStream.range(0, 100).forEach(i -> putGroup(store, "g" + i));
    ZarrGroup root = root(store);
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.GET);
    for (Flux<ZarrNode> nodes : List.of(root.children(), root.tree())) {
      StepVerifier.create(nodes)
          .expectSubscription()
          .then(() -> assertThat(held.waiting()).isEqualTo(64))
          .thenCancel()
          .verify(Waiting.PATIENCE);
      assertThat(held.waiting()).isZero();
      assertThat(store.counts().inFlight()).isZero();
    }
  }

  @Test
  void a_child_that_cannot_be_opened_is_listed_among_the_others_with_its_error() {
    putGroup(store, "");
    putGroup(store, "g");
    putGroup(store, "g/good");
    put(store, "g/bad/zarr.json", "{\"zarr_format\": 3}");
    put(store, "g/no json/zarr.json", "{");
    put(store, "g/type/zarr.json", array("data_type", "int8", "int7"));
    put(store, "g/codec/zarr.json", array("codecs", "bytes", "tomorrow"));
    for (Flux<ZarrNode> nodes :
        List.of(root(store).tree().skip(1), root(store).openGroup("g").block().children())) {
      Map<String, ZarrNode> found = nodes.collectMap(node -> node.path().name()).block();
      assertThat(found).hasSize(5);
      assertThat(found.get("good")).isInstanceOf(ZarrGroup.class);
      assertUnreadable(found.get("bad"), MetadataException.class, "\"node_type\" is missing");
      assertUnreadable(found.get("no json"), MetadataException.class, "not JSON");
      assertUnreadable(found.get("type"), UnknownExtensionException.class, "\"int7\"");
      assertUnreadable(found.get("codec"), UnknownExtensionException.class, "\"tomorrow\"");
      assertThat(found.get("no json").metadata().document().members()).isEmpty();
      assertThat(found.get("type").metadata().document().get("shape")).hasToString("[4]");
      assertThat(found.get("codec").metadata()).isInstanceOf(ArrayMetadata.class);
    }
  }

  private static String array(String member, String value, String other) {
    String document = Documents.ARRAY.document().toString();
    String changed = document.replace("\"" + value + "\"", "\"" + other + "\"");
    assertThat(changed).as(member).isNotEqualTo(document);
    return changed;
  }

  private static void assertUnreadable(
      ZarrNode node, Class<? extends ZarrException> kind, String message) {
    String path = "/g/" + node.path().name();
    assertThat(node)
        .isInstanceOfSatisfying(
            UnreadableNode.class,
            unreadable -> {
              assertThat(unreadable.error()).isInstanceOf(kind).hasMessageContaining(message);
              assertThat(unreadable.error().location().nodePath()).isEqualTo(path);
            });
    assertThatThrownBy(() -> node.updateAttributes(old -> old).block())
        .isInstanceOf(kind)
        .hasMessageContaining(message);
    assertThatThrownBy(() -> Zarr.hierarchy(node.store()).open(path).block())
        .hasMessageContaining(message);
    assertThat(Zarr.hierarchy(node.store()).inspect(path).block())
        .isInstanceOf(UnreadableNode.class)
        .hasToString(node.toString());
  }

  @Test
  void a_store_that_fails_is_an_error_and_not_an_absent_child() {
    putGroup(store, "");
    putGroup(store, "g");
    ZarrGroup root = root(store);
    for (StoreOperation failing : List.of(StoreOperation.LIST_DIR, StoreOperation.GET)) {
      store.behave();
      store.fail(
          request -> request.operation() == failing,
          () -> new TransientStoreException("busy", Location.UNKNOWN));
      for (Flux<ZarrNode> nodes : List.of(root.children(), root.tree())) {
        assertThatThrownBy(nodes::blockLast)
            .isInstanceOfSatisfying(
                TransientStoreException.class,
                e ->
                    assertThat(e.location().nodePath())
                        .isEqualTo(failing == StoreOperation.GET ? "/g" : "/"));
      }
    }
  }

  @Test
  void a_hierarchy_may_be_deep_but_not_endless() {
    putGroup(store, "");
    String path = "d";
    for (int depth = 1; depth <= 200; depth++) {
      putGroup(store, path);
      path += "/d";
    }
    assertThat(paths(root(store).tree())).hasSize(200);
    for (int depth = 201; depth <= 300; depth++) {
      putGroup(store, path);
      path += "/d";
    }
    assertThatThrownBy(() -> root(store).tree().blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("256 groups deep");
  }
}
