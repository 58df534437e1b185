package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.ARRAY;
import static dev.zarrreactive.hierarchy.Documents.put;
import static dev.zarrreactive.hierarchy.Documents.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Consolidated metadata that are written, and what makes them go away. */
class ConsolidateTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private static ArrayMetadata array(int zarrFormat) {
    return zarrFormat == 3
        ? ARRAY
        : ArrayMetadata.v3(Shape.of(4), DataTypes.INT8).uncompressed().zarrFormat(2).build();
  }

  private ZarrGroup tree(int zarrFormat) {
    JsonObject mine = JsonObject.EMPTY.with("mine", 1);
    ZarrGroup root = hierarchy.createGroup("", GroupMetadata.of(zarrFormat, mine)).block();
    root.createArray("g/deep/a", array(zarrFormat)).block();
    root.createGroup("h").block();
    return root;
  }

  private boolean isConsolidated(String group) {
    String prefix = group.isEmpty() ? "" : group + "/";
    String document = text(store, prefix + "zarr.json");
    return text(store, prefix + ".zmetadata") != null
        || (document != null && document.contains("consolidated_metadata"));
  }

  private static List<String> paths(Flux<ZarrNode> nodes) {
    return nodes.map(node -> node.path().value()).sort().collectList().block();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_consolidated_tree_is_the_tree(int zarrFormat) {
    tree(zarrFormat);
    ZarrGroup written = hierarchy.openGroup("").block().consolidate().block();
    ZarrGroup opened = hierarchy.openGroup("").block();
    store.counts().reset();
    for (ZarrGroup root : List.of(written, opened)) {
      assertThat(root.attributes()).hasToString("{\"mine\":1}");
      assertThat(paths(root.tree())).containsExactly("/g", "/g/deep", "/g/deep/a", "/h");
      assertThat(root.openArray("g/deep/a").block().metadata().document())
          .isEqualTo(array(zarrFormat).document());
    }
    assertThat(store.counts().total()).isZero();
    assertThat(isConsolidated("")).isTrue();
  }

  static Stream<Arguments> changes() {
    record Change(String name, Function<ZarrHierarchy, Mono<?>> made) {}
    List<Change> changes =
        List.of(
            new Change("create", h -> h.openGroup("g").flatMap(g -> g.createGroup("x"))),
            new Change("erase", h -> h.erase("g/deep/a")),
            new Change("attributes", h -> h.openArray("g/deep/a").flatMap(a -> change(a))),
            new Change("attributes of a group", h -> h.openGroup("g/deep").flatMap(g -> change(g))),
            new Change(
                "through the group itself",
                h -> h.openGroup("").flatMap(r -> r.open("g/deep/a")).flatMap(a -> change(a))));
    return changes.stream()
        .flatMap(c -> Stream.of(2, 3).map(v -> Arguments.of(c.name(), v, c.made())));
  }

  private static Mono<? extends ZarrNode> change(ZarrNode node) {
    return node.updateAttributes(old -> old.with("changed", true));
  }

  @ParameterizedTest(name = "{0}, Zarr v{1}")
  @MethodSource("changes")
  void a_change_below_removes_the_consolidated_metadata_and_cached_ones_are_not_trusted(
      String name, int zarrFormat, Function<ZarrHierarchy, Mono<?>> change) {
    tree(zarrFormat).consolidate().block();
    ZarrGroup elsewhere =
        hierarchy.createGroup("z", GroupMetadata.of(zarrFormat, JsonObject.EMPTY)).block();
    elsewhere.createGroup("y").block();
    elsewhere.consolidate().block();
    ZarrGroup root = hierarchy.openGroup("").block().consolidate().block();
    ZarrGroup below = root.openGroup("g").block();
    ZarrGroup beside = hierarchy.openGroup("z").block();

    change.apply(Zarr.hierarchy(store)).block(); // another hierarchy on the same store

    assertThat(isConsolidated("")).isFalse();
    assertThat(isConsolidated("z")).isTrue();
    List<String> now = paths(hierarchy.openGroup("").block().tree());
    assertThat(paths(root.tree())).isEqualTo(now);
    assertThat(paths(below.tree()))
        .isEqualTo(now.stream().filter(path -> path.startsWith("/g/")).toList());
    for (String node : List.of("g/deep", "g/deep/a", "g/x")) {
      assertThat(root.exists(node).block()).isEqualTo(hierarchy.exists(node).block());
      assertThat(root.open(node).map(n -> n.attributes().toString()).onErrorReturn("none").block())
          .isEqualTo(
              hierarchy
                  .open(node)
                  .map(n -> n.attributes().toString())
                  .onErrorReturn("none")
                  .block());
    }
    store.counts().reset();
    assertThat(paths(beside.tree())).containsExactly("/z/y");
    assertThat(store.counts().total()).as("beside, all is as it was").isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_change_removes_the_consolidated_metadata_of_every_group_above(int zarrFormat) {
    tree(zarrFormat);
    for (String group : List.of("g/deep", "g", "")) {
      hierarchy.openGroup(group).block().consolidate().block();
    }
    hierarchy.createArray("g/x/y", array(zarrFormat)).block();
    assertThat(isConsolidated("")).isFalse();
    assertThat(isConsolidated("g")).isFalse();
    assertThat(isConsolidated("g/deep")).isTrue();
  }

  @Test
  void a_node_of_version_3_removes_the_consolidated_metadata_of_a_group_of_version_2_too() {
    tree(2).consolidate().block();
    hierarchy.createArray("g/new", array(3)).block();
    assertThat(isConsolidated("")).isFalse();
    assertThat(paths(hierarchy.openGroup("").block().tree())).contains("/g/new");
  }

  @Test
  void attributes_of_the_group_itself_do_not_concern_version_3_but_version_2() {
    tree(3).consolidate().block();
    hierarchy.openGroup("").block().updateAttributes(old -> old.with("mine", 2)).block();
    assertThat(isConsolidated("")).isTrue();
    assertThat(hierarchy.openGroup("").block().attributes()).hasToString("{\"mine\":2}");
    hierarchy.erase("").block();
    tree(2).consolidate().block();
    hierarchy.openGroup("").block().updateAttributes(old -> old.with("mine", 2)).block();
    assertThat(isConsolidated("")).isFalse();
  }

  @Test
  void a_failed_change_leaves_the_consolidated_metadata() {
    ZarrGroup root = tree(3).consolidate().block();
    for (Mono<?> change :
        List.<Mono<?>>of(
            root.createGroup("h"),
            root.createGroup("g/deep/a/x"),
            hierarchy.openGroup("h").block().updateAttributes(old -> failing()))) {
      assertThatThrownBy(change::block).isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(() -> root.createGroup("h").block()).isInstanceOf(NodeExistsException.class);
    assertThat(isConsolidated("")).isTrue();
    store.counts().reset();
    assertThat(paths(root.tree())).hasSize(4);
    assertThat(store.counts().total()).isZero();
  }

  private static JsonObject failing() {
    throw new IllegalStateException("the user's");
  }

  @Test
  void the_consolidated_metadata_are_removed_before_anything_changes() {
    tree(3).consolidate().block();
    store.fail(
        request ->
            request.operation() == StoreOperation.SET && request.target().equals("x/zarr.json"),
        () -> new TransientStoreException("busy", Location.UNKNOWN));
    assertThatThrownBy(() -> hierarchy.createGroup("x").block())
        .isInstanceOf(TransientStoreException.class);
    assertThat(isConsolidated("")).isFalse();
  }

  @Test
  void without_consolidated_metadata_a_change_costs_a_read_of_each_group_above() {
    tree(3);
    ZarrNode array = hierarchy.open("g/deep/a").block();
    store.counts().reset();
    change(array).block();
    assertThat(store.counts().requests())
        .extracting(request -> request.operation() + " " + request.target())
        .containsExactlyInAnyOrder(
            "GET g/deep/a/zarr.json",
            "GET zarr.json",
            "GET g/zarr.json",
            "GET g/deep/zarr.json",
            "SET g/deep/a/zarr.json");
    store.counts().reset();
    hierarchy.createGroup("g/deep/b").block();
    assertThat(store.counts().total(StoreOperation.SET)).isEqualTo(1);
    assertThat(store.counts().requests())
        .filteredOn(request -> request.target().endsWith("zarr.json"))
        .filteredOn(request -> request.operation() == StoreOperation.GET)
        .hasSize(4);
  }

  @Test
  void a_node_created_during_a_consolidation_is_not_lost() {
    for (int round = 0; round < 50; round++) {
      hierarchy.erase("").block();
      ZarrGroup root = tree(round % 2 + 2);
      List<String> names = Flux.range(0, 8).map(i -> "n" + i).collectList().block();
      Flux.fromIterable(names)
          .<Object>flatMap(name -> root.createGroup(name).subscribeOn(Schedulers.parallel()), 8)
          .mergeWith(
              Flux.range(0, 4).flatMap(i -> root.consolidate().subscribeOn(Schedulers.parallel())))
          .blockLast();
      assertThat(paths(hierarchy.openGroup("").block().children()))
          .containsExactly("/g", "/h", "/n0", "/n1", "/n2", "/n3", "/n4", "/n5", "/n6", "/n7");
      assertThat(root.attributes()).isEqualTo(hierarchy.openGroup("").block().attributes());
    }
  }

  @Test
  void a_node_stored_while_the_tree_is_read_is_not_hidden() {
    ZarrGroup root = tree(3);
    HeldRequests creation =
        store.hold(
            request ->
                request.operation() == StoreOperation.SET
                    && request.target().equals("x/zarr.json"));
    var created = root.createGroup("x").toFuture();
    Waiting.eventually("the creation waits", () -> creation.waiting() == 1);
    ZarrGroup consolidated = root.consolidate().block();
    assertThat(isConsolidated("")).isTrue();
    creation.release();
    created.join();
    assertThat(isConsolidated("")).isFalse();
    assertThat(paths(consolidated.children())).containsExactly("/g", "/h", "/x");
    assertThat(paths(hierarchy.openGroup("").block().children())).containsExactly("/g", "/h", "/x");
  }

  @Test
  void attributes_updated_during_a_consolidation_are_not_lost_nor_is_the_consolidation() {
    ZarrGroup root = tree(3);
    for (int round = 0; round < 50; round++) {
      int value = round;
      Mono.when(
              root.consolidate().subscribeOn(Schedulers.parallel()),
              root.updateAttributes(old -> old.with("mine", value))
                  .subscribeOn(Schedulers.parallel()))
          .block();
      assertThat(hierarchy.openGroup("").block().attributes())
          .hasToString("{\"mine\":" + value + "}");
      assertThat(isConsolidated("")).isTrue();
    }
  }

  @Test
  void arrays_of_an_unknown_data_type_are_written_as_they_stand_and_unreadable_groups_are_not() {
    ZarrGroup root = tree(3);
    put(store, "odd/zarr.json", ARRAY.document().toString().replace("\"int8\"", "\"int7\""));
    root.consolidate().block();
    assertThat(text(store, "zarr.json")).contains("\"int7\"");
    put(store, "broken/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\",\"x\":1}");
    String before = text(store, "zarr.json");
    assertThatThrownBy(() -> root.consolidate().block())
        .isInstanceOfSatisfying(
            MetadataException.class, e -> assertThat(e.location().nodePath()).isEqualTo("/broken"));
    assertThat(text(store, "zarr.json")).isEqualTo(before);
  }

  @Test
  void a_group_of_version_2_does_not_consolidate_nodes_of_version_3() {
    ZarrGroup root = tree(2);
    put(store, "g/new/zarr.json", Documents.GROUP);
    assertThatThrownBy(() -> root.consolidate().block())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("cannot hold a node of Zarr v3 (node /g/new");
    assertThat(isConsolidated("")).isFalse();
  }

  @Test
  void a_hierarchy_that_ignores_consolidated_metadata_may_write_them() {
    tree(3);
    ZarrHierarchy plain =
        Zarr.hierarchy(store, ZarrOptions.defaults().withConsolidatedMetadata(false));
    ZarrGroup root = plain.openGroup("").block().consolidate().block();
    assertThat(isConsolidated("")).isTrue();
    store.counts().reset();
    assertThat(paths(root.children())).containsExactly("/g", "/h");
    assertThat(store.counts().total()).isPositive();
  }

  @Test
  void a_read_only_store_gets_no_request() {
    tree(3);
    ZarrGroup root = Zarr.hierarchy(Stores.readOnly(store)).openGroup("").block();
    store.counts().reset();
    assertThatThrownBy(() -> root.consolidate().block())
        .isInstanceOf(StoreCapabilityException.class);
    assertThat(store.counts().total()).isZero();
  }

  @Test
  void consolidating_again_reads_the_store_and_not_the_consolidated_metadata() {
    ZarrGroup root = tree(3).consolidate().block();
    put(store, "other/zarr.json", Documents.GROUP); // another program's
    assertThat(paths(root.children())).containsExactly("/g", "/h");
    assertThat(paths(root.consolidate().block().children())).containsExactly("/g", "/h", "/other");
  }
}
