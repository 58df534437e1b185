package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Trees of nodes that are created, moved and erased as one. */
class HierarchyTreesTest {
  private static final NdArray VALUES =
      NdArray.ofInts(DataTypes.INT32, Shape.of(4), new int[] {1, 2, 3, 4});

  @TempDir Path directory;

  enum Kind {
    MEMORY,
    FILES,
    DECORATED_FILES
  }

  private Store store(Kind kind) {
    return switch (kind) {
      case MEMORY -> MemoryStore.create();
      case FILES -> FileSystemStore.open(directory);
      case DECORATED_FILES -> new DelegatingStore(FileSystemStore.open(directory)) {};
    };
  }

  private static ArrayMetadata array(int format) {
    return (format == 2
            ? ArrayMetadata.v2(Shape.of(4), DataTypes.INT32)
            : ArrayMetadata.v3(Shape.of(4), DataTypes.INT32))
        .chunkShape(1)
        .build();
  }

  private static GroupMetadata group(int format, String title) {
    return GroupMetadata.of(format, JsonObject.EMPTY.with("title", title));
  }

  private static List<String> keys(Store store) {
    return store.list().map(StoreKey::value).sort().collectList().block();
  }

  private static ZarrHierarchy filled(Store store, int format) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    hierarchy
        .create(
            Map.of(
                "", group(format, "root"),
                "g", group(format, "g"),
                "g/sub/a", array(format),
                "b", array(format)))
        .block();
    for (String path : List.of("g/sub/a", "b")) {
      hierarchy.openArray(path).flatMap(array -> array.write("...", VALUES)).block();
    }
    return hierarchy;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_description_becomes_a_hierarchy(int format) {
    Store store = MemoryStore.create();
    ZarrHierarchy hierarchy = filled(store, format);
    assertThat(
            hierarchy
                .openGroup("")
                .block()
                .tree()
                .map(node -> node.path().value())
                .sort()
                .collectList()
                .block())
        .containsExactly("/b", "/g", "/g/sub", "/g/sub/a");
    assertThat(hierarchy.openGroup("g").block().attributes().string("title")).contains("g");
    assertThat(hierarchy.openGroup("g/sub").block().metadata().zarrFormat()).isEqualTo(format);
    assertThatThrownBy(() -> hierarchy.create(Map.of("b", array(format))).block())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("/b");
    assertThatThrownBy(() -> hierarchy.create(Map.of("b/c", array(format))).block())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("arrays have no children");
    assertThatThrownBy(
            () ->
                hierarchy.create(Map.of("new", array(format), "new/x", group(format, "x"))).block())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("arrays have no children");
    assertThat(hierarchy.exists("new").block()).isFalse();
    assertThatThrownBy(() -> hierarchy.create(Map.of("x", array(3), "/x", array(3))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("described twice");
  }

  @Test
  void many_nodes_cost_one_request_each_and_those_of_one_depth_are_under_way_together() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    Map<String, NodeMetadata> nodes = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      nodes.put("g" + i % 10 + "/a" + i, array(3));
    }
    nodes.put("", group(3, "root"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    hierarchy.create(nodes).block();
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.operation() == StoreOperation.SET))
        .hasSize(111);
    assertThat(store.counts().requests()).hasSizeLessThan(130);
    assertThat(hierarchy.openGroup("").block().tree().count().block()).isEqualTo(110);
  }

  @ParameterizedTest
  @EnumSource
  void a_node_is_moved_with_all_below_it(Kind kind) {
    Store store = store(kind);
    ZarrHierarchy hierarchy = filled(store, 3);
    hierarchy.openGroup("").flatMap(ZarrGroup::consolidate).block();
    List<String> before = keys(store);
    hierarchy.move("g", "new/place/h").block();
    assertThat(hierarchy.exists("g").block()).isFalse();
    assertThat(hierarchy.openArray("new/place/h/sub/a").flatMap(ZarrArray::read).block())
        .isEqualTo(VALUES);
    assertThat(hierarchy.openGroup("new/place/h").block().attributes().string("title"))
        .contains("g");
    assertThat(hierarchy.openGroup("").block().metadata().consolidated()).isNull();
    assertThat(keys(store)).noneMatch(key -> key.startsWith("g/")).hasSize(before.size() + 2);
    hierarchy.move("new/place/h", "g").block();
    assertThat(keys(store)).containsAll(before);
  }

  @ParameterizedTest
  @EnumSource
  void of_zarr_v2_too(Kind kind) {
    ZarrHierarchy hierarchy = filled(store(kind), 2);
    hierarchy.move("b", "g/b").block();
    assertThat(hierarchy.openArray("g/b").flatMap(ZarrArray::read).block()).isEqualTo(VALUES);
    assertThat(hierarchy.exists("b").block()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void a_place_that_is_taken_or_inside_of_the_node_is_refused(Kind kind) {
    Store store = store(kind);
    ZarrHierarchy hierarchy = filled(store, 3);
    store.set(StoreKey.of("other/file"), Bytes.utf8("text")).block();
    List<String> before = keys(store);
    for (String to : List.of("g", "g/x", "g/sub/a/x")) {
      assertThatThrownBy(() -> hierarchy.move("g", to).block())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("into itself");
    }
    assertThatThrownBy(() -> hierarchy.move("", "x").block())
        .isInstanceOf(IllegalArgumentException.class);
    for (String to : List.of("b", "b/x", "")) {
      assertThatThrownBy(() -> hierarchy.move("g", to).block())
          .isInstanceOf(NodeExistsException.class);
    }
    assertThatThrownBy(() -> hierarchy.move("g", "other").block())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("\"file\"");
    assertThatThrownBy(() -> hierarchy.move("nothing", "x").block())
        .isInstanceOf(NodeNotFoundException.class);
    assertThatThrownBy(() -> Zarr.hierarchy(Stores.readOnly(store)).move("g", "x").block())
        .isInstanceOf(StoreCapabilityException.class);
    assertThat(keys(store)).isEqualTo(before);
  }

  @Test
  void a_move_that_fails_leaves_the_node_in_its_old_place() {
    MemoryStore memory = MemoryStore.create();
    filled(memory, 3);
    Store failing =
        new DelegatingStore(memory) {
          @Override
          public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
            return key.value().equals("h/sub/a/c/2")
                ? Mono.error(new StoreException("the disk is full", Location.ofKey(key.value())))
                : super.set(key, value, precondition);
          }

          @Override
          public Mono<Void> set(StoreKey key, Bytes value) {
            return set(key, value, Precondition.NONE);
          }
        };
    assertThatThrownBy(() -> Zarr.hierarchy(failing).move("g", "h").block())
        .hasMessageContaining("the disk is full");
    ZarrHierarchy after = Zarr.hierarchy(memory);
    assertThat(after.openArray("g/sub/a").flatMap(ZarrArray::read).block()).isEqualTo(VALUES);
    assertThat(memory.get(StoreKey.of("h/zarr.json")).block()).isNull();
  }

  /** The documents go first: a node without chunks would be opened, with fill values. */
  @Test
  void a_node_whose_documents_cannot_be_listed_stays_whole() {
    MemoryStore memory = MemoryStore.create();
    filled(memory, 3);
    Store failing =
        new DelegatingStore(memory) {
          @Override
          public Flux<ListEntry> listDir(StorePrefix prefix) {
            return prefix.value().equals("g/")
                ? Flux.error(new TransientStoreException("slow down", Location.UNKNOWN))
                : super.listDir(prefix);
          }
        };
    assertThatThrownBy(() -> Zarr.hierarchy(failing).eraseInSteps("g").blockLast())
        .isInstanceOf(TransientStoreException.class);
    assertThatThrownBy(() -> Zarr.hierarchy(failing).move("g", "h").block())
        .isInstanceOf(TransientStoreException.class);
    assertThat(Zarr.hierarchy(memory).openArray("g/sub/a").flatMap(ZarrArray::read).block())
        .isEqualTo(VALUES);
  }

  @ParameterizedTest
  @EnumSource
  void an_erasure_counts_the_values_that_it_erased(Kind kind) {
    Store store = store(kind);
    ZarrHierarchy hierarchy = filled(store, 3);
    hierarchy
        .createArray(
            "many", ArrayMetadata.v3(Shape.of(2_500), DataTypes.INT8).chunkShape(1).build())
        .flatMap(
            array ->
                array.write(
                    "...", NdArray.filled(Shape.of(2_500), FillValue.of(DataTypes.INT8, 7L))))
        .block();
    List<Long> steps = hierarchy.eraseInSteps("many").collectList().block();
    assertThat(steps).isSorted().startsWith(1_000L, 2_000L).endsWith(2_500L);
    assertThat(hierarchy.exists("many").block()).isFalse();
    assertThat(keys(store)).noneMatch(key -> key.startsWith("many"));
    assertThat(hierarchy.exists("b").block()).isTrue();
    assertThat(hierarchy.eraseInSteps("many").last().block()).isZero();
  }
}
