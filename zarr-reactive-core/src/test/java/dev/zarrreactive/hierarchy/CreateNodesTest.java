package dev.zarrreactive.hierarchy;

import static dev.zarrreactive.hierarchy.Documents.ARRAY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class CreateNodesTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  static Stream<Store> stores() {
    return Stream.of(MemoryStore.create(), new PlainStore());
  }

  private List<String> keys() {
    return store.list().map(StoreKey::value).sort().collectList().block();
  }

  @Test
  void an_array_is_created_with_the_groups_above_it() {
    ZarrArray array = hierarchy.createArray("a/b/c", ARRAY).block();
    assertThat(array.path().value()).isEqualTo("/a/b/c");
    assertThat(keys())
        .containsExactly("a/b/c/zarr.json", "a/b/zarr.json", "a/zarr.json", "zarr.json");
    assertThat(hierarchy.openGroup("a/b").block().attributes().members()).isEmpty();
    assertThat(hierarchy.openArray("a/b/c").block().metadata().document())
        .isEqualTo(ARRAY.document());
  }

  @ParameterizedTest
  @MethodSource("stores")
  void nodes_of_format_2_are_created_with_all_their_documents(Store any) {
    ArrayMetadata array =
        ArrayMetadata.v3(Shape.of(4), DataTypes.INT8)
            .uncompressed()
            .zarrFormat(2)
            .attributes(JsonObject.EMPTY.with("units", "K"))
            .build();
    ZarrHierarchy created = Zarr.hierarchy(any);
    created.createArray("g/a", array).block();
    assertThat(created.openGroup("g").block().metadata().zarrFormat()).isEqualTo(2);
    assertThat(created.openArray("g/a").block().attributes())
        .isEqualTo(JsonObject.EMPTY.with("units", "K"));
  }

  @Test
  void the_root_may_be_an_array() {
    ZarrArray root = hierarchy.createArray("", ARRAY).block();
    NdArray data = NdArray.ofBytes(DataTypes.INT8, Shape.of(4), new byte[] {1, 2, 3, 4});
    root.write(Selection.all(), data).block();
    assertThat(keys()).containsExactly("c/0", "c/1", "zarr.json");
    assertThat(hierarchy.openArray("/").block().read(Selection.all()).block()).isEqualTo(data);
    assertThatThrownBy(() -> hierarchy.createGroup("a").block())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("arrays have no children");
  }

  @Test
  void existing_groups_stay_as_they_are() {
    JsonObject attributes = JsonObject.EMPTY.with("mine", 1);
    hierarchy.createGroup("a", GroupMetadata.of(attributes)).block();
    String before = Documents.text(store, "a/zarr.json");
    store.counts().reset();
    hierarchy.createArray("a/b", ARRAY).block();
    assertThat(Documents.text(store, "a/zarr.json")).isEqualTo(before);
    assertThat(store.counts().requests())
        .filteredOn(request -> request.operation() == StoreOperation.SET)
        .extracting(request -> request.target())
        .containsExactly("a/b/zarr.json");
  }

  @Test
  void an_existing_node_is_never_replaced() {
    hierarchy.createGroup("g", GroupMetadata.of(JsonObject.EMPTY.with("mine", 1))).block();
    hierarchy.createArray("a", ARRAY).block();
    store.counts().reset();
    for (Mono<? extends ZarrNode> create :
        List.of(
            hierarchy.createGroup("g"),
            hierarchy.createArray("g", ARRAY),
            hierarchy.createArray("a", ARRAY),
            hierarchy.createGroup("a"),
            hierarchy.createGroup("/"))) {
      assertThatThrownBy(create::block)
          .isInstanceOf(NodeExistsException.class)
          .hasMessageContaining("a node exists here");
    }
    assertThat(store.counts().total(StoreOperation.SET)).isZero();
  }

  @Test
  void an_existing_node_without_its_ancestors_is_found_before_they_are_created() {
    Documents.putGroup(store, "a/b");
    assertThatThrownBy(() -> hierarchy.createGroup("a/b").block())
        .isInstanceOf(NodeExistsException.class);
    assertThat(keys()).containsExactly("a/b/zarr.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"g/a/x", "g/a/x/y", "g/a/c"})
  void nothing_is_created_below_an_array(String path) {
    hierarchy.createArray("g/a", ARRAY).block();
    store.counts().reset();
    assertThatThrownBy(() -> hierarchy.createGroup(path).block())
        .isInstanceOfSatisfying(
            NodeExistsException.class,
            e -> {
              assertThat(e.statement()).contains("/" + path, "arrays have no children");
              assertThat(e.location().nodePath()).isEqualTo("/g/a");
            });
    assertThat(store.counts().total(StoreOperation.SET)).isZero();
  }

  @Test
  void an_ancestor_that_is_broken_is_an_error() {
    Documents.put(store, "g/zarr.json", "{}");
    assertThatThrownBy(() -> hierarchy.createGroup("g/x").block())
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().storeKey()).isEqualTo("g/zarr.json"));
    assertThat(keys()).containsExactly("g/zarr.json");
  }

  @Test
  void metadata_that_could_not_be_opened_are_refused_before_anything_is_stored() {
    ArrayMetadata unknown =
        ArrayMetadata.v3(Shape.of(4), DataTypes.INT8)
            .codecs(NamedConfiguration.of("bytes"), NamedConfiguration.of("tomorrow"))
            .build();
    assertThatThrownBy(() -> hierarchy.createArray("g/a", unknown).block())
        .isInstanceOf(UnknownExtensionException.class)
        .hasMessageContaining("tomorrow");
    ArrayMetadata wrongCodec =
        ArrayMetadata.v3(Shape.of(4), DataTypes.INT8).codecs(Codecs.vlenUtf8()).build();
    assertThatThrownBy(() -> hierarchy.createArray("g/a", wrongCodec).block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("vlen-utf8");
    assertThat(store.counts().total()).isZero();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void of_two_concurrent_creations_of_a_node_one_wins(Store store) {
    ZarrHierarchy nodes = Zarr.hierarchy(store);
    for (int round = 0; round < 100; round++) {
      String path = "g" + round + "/x";
      List<String> outcomes =
          Flux.range(0, 4)
              .flatMap(
                  i ->
                      nodes
                          .createGroup(path, GroupMetadata.of(JsonObject.EMPTY.with("by", i)))
                          .map(group -> "won " + group.attributes().get("by"))
                          .onErrorResume(NodeExistsException.class, e -> Mono.just("lost"))
                          .subscribeOn(Schedulers.parallel()))
              .collectList()
              .block();
      assertThat(outcomes).filteredOn("lost"::equals).hasSize(3);
      assertThat(outcomes).contains("won " + nodes.openGroup(path).block().attributes().get("by"));
    }
  }

  @ParameterizedTest
  @MethodSource("stores")
  void a_concurrent_creation_never_puts_children_below_an_array(Store store) {
    ZarrHierarchy nodes = Zarr.hierarchy(store);
    for (int round = 0; round < 100; round++) {
      String path = "n" + round;
      Mono<String> array = nodes.createArray(path, ARRAY).map(ZarrArray::toString);
      Mono<String> child = nodes.createGroup(path + "/x").map(Object::toString);
      Flux.just(array, child)
          .flatMap(
              create ->
                  create
                      .onErrorResume(NodeExistsException.class, e -> Mono.just("refused"))
                      .subscribeOn(Schedulers.parallel()))
          .blockLast();
      boolean isArray = nodes.open(path).block() instanceof ZarrArray;
      assertThat(nodes.exists(path + "/x").block()).isEqualTo(!isArray);
    }
  }

  @Test
  void a_store_that_only_gives_and_takes_values_holds_a_hierarchy() {
    ZarrHierarchy nodes = Zarr.hierarchy(new PlainStore());
    ZarrArray array = nodes.createArray("g/a", ARRAY).block();
    array.write(Selection.all(), NdArray.filled(Shape.of(4), array.fillValue())).block();
    assertThat(array.readEncodedChunk(0).block().size())
        .as("a chunk that cannot be erased is stored")
        .isEqualTo(2);
    array.updateAttributes(old -> old.with("unit", "m")).block();
    assertThat(nodes.openArray("g/a").block().attributes().get("unit")).isNotNull();
    assertCannot("list", "LIST", nodes.openGroup("g").block().children().collectList());
    assertCannot("list", "LIST", nodes.openGroup("g").block().tree().collectList());
    assertCannot("erase", "ERASE", nodes.erase("g"));
  }

  private static void assertCannot(String what, String lacking, Mono<?> operation) {
    assertThatThrownBy(operation::block)
        .isInstanceOfSatisfying(
            StoreCapabilityException.class,
            e -> {
              assertThat(e.statement()).contains("cannot " + what, "it lacks " + lacking);
              assertThat(e.location().nodePath()).isEqualTo("/g");
            });
  }

  @Test
  void a_read_only_store_gets_no_request_to_create() {
    hierarchy.createArray("g/a", ARRAY).block();
    ZarrHierarchy readOnly = Zarr.hierarchy(Stores.readOnly(store));
    ZarrArray array = readOnly.openArray("g/a").block();
    store.counts().reset();
    for (Mono<?> change :
        List.<Mono<?>>of(
            readOnly.createGroup("g/x"),
            readOnly.createArray("x/y", ARRAY),
            array.updateAttributes(old -> old.with("a", 1)),
            readOnly.erase("g"))) {
      assertThatThrownBy(change::block)
          .isInstanceOf(StoreCapabilityException.class)
          .satisfies(e -> assertThat(((ZarrException) e).location().nodePath()).isNotNull());
    }
    assertThat(store.counts().total()).isZero();
  }
}
