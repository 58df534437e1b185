package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Copies of a part: some nodes, some elements, stored chunks alone; and what a dry run says. */
class CopyChoiceTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final InstrumentedStore target = InstrumentedStore.of(MemoryStore.create());
  private final ZarrHierarchy source = Zarr.hierarchy(store);
  private final ZarrHierarchy copy = Zarr.hierarchy(target);

  private static NdArray counting(long... shape) {
    int[] numbers = new int[Shape.of(shape).elementCount().intValueExact()];
    Arrays.setAll(numbers, i -> i + 1);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(shape), numbers);
  }

  private static ArrayMetadataBuilder ints(long... shape) {
    return ArrayMetadata.v3(Shape.of(shape), DataTypes.INT32).uncompressed();
  }

  private ZarrArray full(String path, ArrayMetadataBuilder metadata) {
    ArrayMetadata built = metadata.build();
    ZarrArray array = source.createArray(path, built).block();
    array.write(Selection.all(), counting(built.shape().toArray())).block();
    return array;
  }

  private static NdArray read(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openArray(path).flatMap(ZarrArray::read).block();
  }

  private List<String> nodes() {
    return copy.openGroup("")
        .block()
        .tree()
        .map(node -> node.path().value())
        .sort()
        .collectList()
        .block();
  }

  private CopyProgress run(UnaryOperator<ZarrCopy> change) {
    return Objects.requireNonNull(change.apply(ZarrCopy.of(source, copy)).run().blockLast());
  }

  @Test
  void a_hierarchy_of_mixed_ranks_leaves_its_shards_and_goes_to_v2() {
    full("line", ints(10).chunkShape(5));
    full("plane", ints(20, 12).chunkShape(5, 3).shardShape(10, 6));
    full("cube", ints(4, 6, 8).chunkShape(1, 2, 2).shardShape(2, 4, 4).compressors(Codecs.zstd(1)));
    source.createGroup("empty").block();
    run(copy -> copy.zarrFormat(2).withoutShards());
    for (String path : List.of("line", "plane", "cube")) {
      assertThat(read(copy, path)).as(path).isEqualTo(read(source, path));
    }
    ZarrArray cube = copy.openArray("cube").block();
    assertThat(cube.metadata().zarrFormat()).isEqualTo(2);
    assertThat(cube.chunkGrid().largestChunkShape()).isEqualTo(Shape.of(1, 2, 2));
    assertThat(cube.metadata().document().toString()).contains("zstd");
    assertThat(target.get(StoreKey.of("plane/0/0")).block().size()).isEqualTo(5 * 3 * 4);
  }

  @Test
  void nodes_that_no_group_lists_are_named_up_to_ten() {
    full("a", ints(4).chunkShape(2));
    String array = "{'zarr_format': 2, 'shape': [1], 'chunks': [1], 'dtype': '|i1'}";
    Bytes document = Bytes.utf8(array.replace('\'', '"'));
    store.set(StoreKey.of("a/inside/.zarray"), document).block();
    store.set(StoreKey.of("old/.zarray"), document).block();
    store.set(StoreKey.of("no/group/zarr.json"), document).block();
    store.set(StoreKey.of("left/out/.zarray"), document).block();
    store.set(StoreKey.of("old/.zattrs"), document).block();
    CopyReport report = run(copy -> copy).report();
    assertThat(report.unlistedNodes())
        .extracting(NodePath::value)
        .containsExactlyInAnyOrder("/a/inside", "/old", "/no/group", "/left/out");
    assertThat(report.foreignFiles()).isEqualTo(5);
    for (int i = 0; i < 20; i++) {
      store.set(StoreKey.of("old/" + i + "/.zgroup"), document).block();
    }
    Zarr.hierarchy(target).erase("").block();
    assertThat(run(copy -> copy).report().unlistedNodes()).hasSize(CopyReport.MOST_UNLISTED_NODES);
    Zarr.hierarchy(target).erase("").block();
    assertThat(run(copy -> copy.allFiles(true)).report().unlistedNodes()).isEmpty();
  }

  @Test
  void a_copy_to_zarr_3_refuses_a_reserved_name_before_its_first_write() {
    source.createGroup("g/__x", GroupMetadata.of(2, JsonObject.EMPTY)).block();
    assertThatThrownBy(() -> run(copy -> copy.zarrFormat(3)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("Zarr v3 reserves")
        .hasMessageContaining("node /g/__x");
    assertThat(target.list().collectList().block()).isEmpty();
    run(copy -> copy.zarrFormat(3).exclude("g/__x"));
    assertThat(nodes()).containsExactly("/g");
    Zarr.hierarchy(target).erase("").block();
    assertThat(run(copy -> copy.zarrFormat(2)).nodes()).isEqualTo(3);
  }

  @Test
  void shards_in_shards_become_their_innermost_chunks() {
    ArrayMetadata nested =
        ints(16).chunkShape(16).codecs(Codecs.sharding(8).codecs(Codecs.sharding(2))).build();
    source.createArray("a", nested).block().write(Selection.all(), counting(16)).block();
    run(copy -> copy.from("a").to("a").withoutShards());
    ZarrArray plain = copy.openArray("a").block();
    assertThat(plain.chunkGrid().largestChunkShape()).isEqualTo(Shape.of(2));
    assertThat(plain.metadata().document().toString()).doesNotContain("sharding");
    assertThat(plain.read().block()).isEqualTo(counting(16));
  }

  @Test
  void chunks_and_shards_have_a_shape_for_each_number_of_dimensions() {
    full("plane", ints(20, 12).chunkShape(5, 3));
    full("cube", ints(4, 6, 8).chunkShape(1, 2, 2));
    full("line", ints(10).chunkShape(5).shardShape(10));
    run(copy -> copy.chunkShape(4, 4).chunkShape(2, 2, 4).shardShape(8, 8).withoutShards());
    assertThat(copy.openArray("plane").block().metadata().document().toString())
        .contains("{\"chunk_shape\":[8,8]}", "\"chunk_shape\":[4,4]");
    assertThat(copy.openArray("cube").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(2, 2, 4));
    assertThat(copy.openArray("line").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(5));
    for (String path : List.of("plane", "cube", "line")) {
      assertThat(read(copy, path)).as(path).isEqualTo(read(source, path));
    }
    assertThatThrownBy(() -> run(copy -> copy.to("x").chunkShape(2, 2).chunkShape(1, 1, 1, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no array of the copy has 4 dimensions");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "3:17,2:9 | 14 | 7",
        "::3,1:12:4 | 7 | 3",
        "5:6 | 1 | 12",
        "[1,7,3],4: | 3 | 8",
        "7:7 | 0 | 12",
        "... | 20 | 12",
      })
  void a_selection_is_copied_with_its_own_shape(String notation, long rows, long columns) {
    ZarrArray array = full("a", ints(20, 12).chunkShape(5, 3).fillValue(-1));
    Selection selection = Selection.parse(notation);
    run(copy -> copy.from("a").to("part").select(selection));
    ZarrArray part = copy.openArray("part").block();
    assertThat(part.shape()).isEqualTo(Shape.of(rows, columns));
    assertThat(part.read().block()).isEqualTo(array.read(selection).block());
    ZarrHierarchy v2 = Zarr.hierarchy(MemoryStore.create());
    ZarrCopy other = ZarrCopy.of(source, v2).from("a").select(selection).zarrFormat(2);
    other.chunkShape(4, 5).run().blockLast();
    assertThat(read(v2, "")).isEqualTo(array.read(selection).block());
  }

  @Test
  void indices_of_a_dimension_are_copied_of_every_array_that_has_it() {
    ZarrArray field = full("g/field", ints(4, 6).chunkShape(2, 3).dimensionNames("time", "x"));
    ZarrArray time = full("g/time", ints(4).dimensionNames("time"));
    full("g/x", ints(6).dimensionNames("x"));
    full("plain", ints(5));
    run(
        copy ->
            copy.select("time", DimensionSelection.slice(1, 4))
                .select("x", DimensionSelection.indices(4, 0)));
    assertThat(read(copy, "g/field")).isEqualTo(field.read(Selection.parse("1:4,[4,0]")).block());
    assertThat(read(copy, "g/time")).isEqualTo(time.read(Selection.parse("1:4")).block());
    assertThat(copy.openArray("plain").block().shape()).isEqualTo(Shape.of(5));
  }

  @Test
  void a_dimension_that_no_array_has_or_that_has_two_extents_is_refused() {
    full("a", ints(4, 6).dimensionNames("time", "x"));
    assertThatThrownBy(() -> run(copy -> copy.select("lat", DimensionSelection.full())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no array of the copy has the dimension lat; there are time, x");
    full("b", ints(5).dimensionNames("time"));
    assertThatThrownBy(() -> run(copy -> copy.select("time", DimensionSelection.full())))
        .hasMessageContaining("the dimension time has the extent 4 in /a, and 5 in /b");
    run(copy -> copy.exclude("b").select("time", DimensionSelection.slice(0, 1)));
    assertThat(copy.openArray("a").block().shape()).isEqualTo(Shape.of(1, 6));
  }

  @Test
  void a_selection_that_has_no_shape_or_no_array_is_refused() {
    full("a", ints(4, 4));
    assertThatThrownBy(() -> run(copy -> copy.select(Selection.parse("0:2"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/ is a group; select along a dimension by its name");
    assertThatThrownBy(() -> run(copy -> copy.from("a").select(Selection.parse("3"))))
        .hasMessageContaining("the slice 3:4 keeps it");
    assertThatThrownBy(
            () -> run(copy -> copy.from("a").select(Selection.points(new long[] {0, 0}))))
        .hasMessageContaining("cannot copy points");
    assertThatThrownBy(() -> run(copy -> copy.from("a").select(Selection.parse("0:9"))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(target.list().collectList().block()).isEmpty();
  }

  private void tree() {
    for (String path : List.of("a/temperature", "a/wind", "b/temperature", "b/deep/wind")) {
      full(path, ints(2));
    }
    source.createGroup("c").block();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a | | /a /a/temperature /a/wind",
        "**/temperature | | /a /a/temperature /b /b/temperature",
        "*/temp*,c | | /a /a/temperature /b /b/temperature /c",
        " | b | /a /a/temperature /a/wind /c",
        " | **/wind | /a /a/temperature /b /b/deep /b/temperature /c",
        "b | b/deep/ | /b /b/temperature",
        "/?/wind | | /a /a/wind",
      })
  void only_some_nodes_are_copied_with_the_groups_above(
      String include, String exclude, String expected) {
    tree();
    run(
        copy -> {
          ZarrCopy some = include == null ? copy : copy.include(include.split(","));
          return exclude == null ? some : some.exclude(exclude.split(","));
        });
    assertThat(nodes()).containsExactly(expected.split(" "));
  }

  @Test
  void a_node_that_is_left_out_need_not_be_readable_and_its_files_are_not_foreign() {
    tree();
    store.set(StoreKey.of("c/broken/zarr.json"), Bytes.utf8("no JSON")).block();
    store.set(StoreKey.of("a/README"), Bytes.utf8("text")).block();
    assertThatThrownBy(() -> run(copy -> copy)).hasMessageContaining("c/broken");
    CopyProgress end = run(copy -> copy.exclude("c", "b"));
    assertThat(end.report().foreignFiles()).isEqualTo(1);
    assertThatThrownBy(() -> run(copy -> copy.to("x").include("a", "nothing*")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no node below / matches \"nothing*\"");
  }

  private ZarrArray sparse() {
    ZarrArray array =
        source.createArray("a", ints(1_000_000_000, 1_000_000).chunkShape(10, 10).build()).block();
    array.write("0:10,0:10", counting(10, 10)).block();
    array.write("500000000:500000010,777770:777780", counting(10, 10)).block();
    store.counts().reset();
    return array;
  }

  @ParameterizedTest
  @CsvSource({"10, 10", "4, 15", "20, 20"})
  void a_sparse_array_costs_requests_for_its_stored_chunks_alone(long rows, long columns) {
    sparse();
    CopyProgress end = run(copy -> copy.chunkShape(rows, columns));
    long gets =
        store.counts().requests().stream()
            .filter(request -> request.operation() == StoreOperation.GET)
            .filter(request -> request.target().startsWith("a/c/"))
            .count();
    assertThat(gets).isBetween(2L, 12L);
    assertThat(end.chunks()).isEqualTo(end.chunksInAll());
    assertThat(end.share()).isEqualTo(1);
    ZarrArray copied = copy.openArray("a").block();
    assertThat(copied.read("0:10,0:10").block()).isEqualTo(counting(10, 10));
    assertThat(copied.read("500000000:500000010,777770:777780").block())
        .isEqualTo(counting(10, 10));
    run(copy -> copy.chunkShape(rows, columns).ifExists(IfExists.RESUME));
  }

  @Test
  void a_part_of_a_sparse_array_is_sparse() {
    sparse();
    run(copy -> copy.from("a").to("p").select(Selection.parse("499999995::5,777771:777791:2")));
    ZarrArray copied = copy.openArray("p").block();
    assertThat(copied.read("1:3,:5").block())
        .isEqualTo(
            source
                .openArray("a")
                .flatMap(array -> array.read("500000000:500000010:5,777771:777781:2"))
                .block());
    assertThat(target.list().filter(key -> key.value().contains("/c/")).count().block())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_source_that_refuses_to_be_listed_is_walked(boolean recoded) {
    full("a", ints(40).chunkShape(2));
    Store unlisted =
        new DelegatingStore(store) {
          @Override
          public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
            return Flux.error(new AccessDeniedException("no listing", Location.UNKNOWN));
          }

          @Override
          public Flux<StoreKey> listPrefix(StorePrefix prefix) {
            return Flux.error(new AccessDeniedException("no listing", Location.UNKNOWN));
          }
        };
    ZarrCopy copying = ZarrCopy.of(Zarr.hierarchy(unlisted), copy).from("a").to("a");
    CopyProgress end = (recoded ? copying.chunkShape(3) : copying).run().blockLast();
    assertThat(end.chunks()).isEqualTo(recoded ? 14 : 20).isEqualTo(end.chunksInAll());
    assertThat(read(copy, "a")).isEqualTo(counting(40));
    CopyOutline outline = copying.ifExists(IfExists.RESUME).outline().block();
    assertThat(outline.nodes().get(0).storedChunks()).isEqualTo(CopyOutline.UNKNOWN);
  }

  @Test
  void a_dry_run_says_what_would_be_copied_and_writes_nothing() {
    tree();
    ZarrCopy copying = ZarrCopy.of(source, copy).include("a", "b").exclude("**/wind");
    CopyOutline outline = copying.outline().block();
    assertThat(target.list().collectList().block()).isEmpty();
    assertThat(target.counts().requests())
        .noneMatch(request -> request.operation() == StoreOperation.SET);
    assertThat(outline.nodes().stream().map(node -> node.path().value()))
        .containsExactlyInAnyOrder("/", "/a", "/a/temperature", "/b", "/b/temperature", "/b/deep");
  }

  @Test
  void a_dry_run_counts_the_chunks_of_the_copy_and_the_stored_ones() {
    sparse();
    CopyOutline outline = ZarrCopy.of(source, copy).from("a").outline().block();
    CopyOutline.Node array = outline.nodes().get(0);
    assertThat(array.chunks()).isEqualTo(100_000_000L * 100_000);
    assertThat(array.bytes()).isEqualTo(1_000_000_000L * 1_000_000 * 4);
    assertThat(array.storedChunks()).isEqualTo(2);
    assertThat(array.storedBytes()).isEqualTo(800);
    full("b", ints(2));
    ZarrCopy refused = ZarrCopy.of(source, source).from("a").to("b");
    assertThatThrownBy(() -> refused.outline().block()).isInstanceOf(NodeExistsException.class);
    refused.ifExists(IfExists.OVERWRITE).outline().block();
    assertThat(read(source, "b")).isEqualTo(counting(2));
    assertThatThrownBy(
            () ->
                ZarrCopy.of(source, copy)
                    .from("a")
                    .shardShape(20, 20)
                    .zarrFormat(2)
                    .outline()
                    .block())
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  @Test
  void consolidated_metadata_above_the_copy_are_made_anew() {
    full("a", ints(4));
    ZarrHierarchy there = copy;
    there.createGroup("").block();
    there.createGroup("g", GroupMetadata.of(JsonObject.EMPTY)).block();
    there.openGroup("g").flatMap(group -> group.consolidate()).block();
    there.openGroup("").flatMap(group -> group.consolidate()).block();
    CopyProgress end = run(copying -> copying.from("a").to("g/sub/a"));
    assertThat(end.report().consolidated()).hasToString("[/g, /]");
    for (String path : List.of("", "g")) {
      GroupMetadata group = Zarr.hierarchy(target).openGroup(path).block().metadata();
      assertThat(group.consolidated().paths().toString()).contains("sub/a");
    }
    end = run(copying -> copying.from("a").to("g/sub/b").consolidated(false));
    assertThat(end.report().consolidated()).isEmpty();
    assertThat(Zarr.hierarchy(target).openGroup("").block().metadata().consolidated()).isNull();
  }
}
