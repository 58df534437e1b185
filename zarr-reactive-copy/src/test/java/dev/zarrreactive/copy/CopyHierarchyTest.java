package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Whole hierarchies, what is at the destination already, and what a broken-off copy leaves. */
class CopyHierarchyTest {
  private final Store store = MemoryStore.create();
  private final Store target = MemoryStore.create();
  private final ZarrHierarchy source = Zarr.hierarchy(store);
  private final ZarrHierarchy copy = Zarr.hierarchy(target);

  @TempDir Path directory;

  private static NdArray counting(long... shape) {
    int[] numbers = new int[Shape.of(shape).elementCount().intValueExact()];
    Arrays.setAll(numbers, i -> i + 1);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(shape), numbers);
  }

  private static ArrayMetadataBuilder table(int format) {
    return ArrayMetadata.v3(Shape.of(5, 7), DataTypes.INT32)
        .uncompressed()
        .zarrFormat(format)
        .chunkShape(2, 3)
        .attributes(JsonObject.EMPTY.with("units", "K"));
  }

  /** A group with attributes, an array in it, an empty group, and an array in a deeper one. */
  private void hierarchy(int format) {
    source
        .createGroup("", GroupMetadata.of(format, JsonObject.EMPTY.with("title", "all")))
        .then(source.createGroup("empty", GroupMetadata.of(format, JsonObject.EMPTY)))
        .then(source.createArray("t", table(format).build()))
        .flatMap(array -> array.write(Selection.all(), counting(5, 7)))
        .then(source.createArray("deep/er/t", table(format).build()))
        .flatMap(array -> array.write(Selection.parse("0:2,0:3"), counting(2, 3)))
        .block();
  }

  private static Map<String, JsonObject> attributes(ZarrHierarchy hierarchy) {
    Map<String, JsonObject> found = new TreeMap<>();
    ZarrGroup root = hierarchy.openGroup("").block();
    for (ZarrNode node : root.tree().startWith(root).collectList().block()) {
      found.put(node.path().value(), node.attributes());
    }
    return found;
  }

  private static List<String> keys(Store store) {
    return store.list().map(StoreKey::value).sort().collectList().block();
  }

  private static NdArray read(ZarrHierarchy hierarchy, String path) {
    return hierarchy.openArray(path).flatMap(array -> array.read(Selection.all())).block();
  }

  private void checkCopied() {
    assertThat(attributes(copy)).isEqualTo(attributes(source));
    for (String path : List.of("t", "deep/er/t")) {
      assertThat(read(copy, path)).isEqualTo(read(source, path));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_hierarchy_that_stays_as_it_is_is_copied_byte_for_byte(int format) {
    hierarchy(format);
    CopyProgress end = ZarrCopy.of(source, copy).run().blockLast();
    assertThat(keys(target)).isEqualTo(keys(store));
    for (String key : keys(store)) {
      assertThat(target.get(StoreKey.of(key)).block())
          .isEqualTo(store.get(StoreKey.of(key)).block());
    }
    assertThat(end.nodes()).isEqualTo(6).isEqualTo(end.nodesInAll());
    assertThat(end.chunks()).isEqualTo(18);
    checkCopied();
  }

  @Test
  void from_format_2_to_3_the_chunks_are_the_same_bytes_under_the_same_keys() {
    hierarchy(2);
    ZarrCopy.of(source, copy).zarrFormat(3).run().blockLast();
    checkCopied();
    assertThat(keys(target))
        .contains("zarr.json", "empty/zarr.json", "t/zarr.json", "t/0.0", "deep/er/t/0.0")
        .noneMatch(key -> key.contains(".z") && !key.endsWith("zarr.json"))
        .noneMatch(key -> key.endsWith(".partial"));
    assertThat(target.get(StoreKey.of("t/1.2")).block())
        .isEqualTo(store.get(StoreKey.of("t/1.2")).block());
    assertThat(keys(target)).doesNotContain("deep/er/t/1.1");
  }

  @Test
  void and_back() {
    hierarchy(3);
    ZarrCopy.of(source, copy).zarrFormat(2).run().blockLast();
    checkCopied();
    assertThat(keys(target)).contains("t/.zarray", "t/.zattrs", "t/0/0", ".zgroup");
  }

  @Test
  void a_part_of_a_hierarchy_becomes_a_part_of_another() {
    hierarchy(3);
    ZarrCopy.of(source, copy).from("deep").to("a/b").run().blockLast();
    assertThat(attributes(copy).keySet())
        .containsExactly("/", "/a", "/a/b", "/a/b/er", "/a/b/er/t");
    assertThat(read(copy, "a/b/er/t")).isEqualTo(read(source, "deep/er/t"));
  }

  @Test
  void other_chunks_are_for_the_arrays_that_have_as_many_dimensions() {
    hierarchy(3);
    source
        .createArray("row", ArrayMetadata.v3(Shape.of(4), DataTypes.INT8).uncompressed().build())
        .block();
    ZarrCopy.of(source, copy).chunkShape(5, 7).run().blockLast();
    checkCopied();
    assertThat(copy.openArray("t").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(5, 7));
    assertThat(copy.openArray("row").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(4));
    ZarrCopy useless =
        ZarrCopy.of(source, Zarr.hierarchy(MemoryStore.create())).shardShape(1, 2, 3);
    assertThatThrownBy(() -> useless.run().blockLast())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no array of the copy has 3 dimensions");
  }

  @Test
  void a_new_zip_archive_holds_the_copy_and_nothing_else() {
    hierarchy(3);
    Path file = directory.resolve("copy.zip");
    NewZipStore zip = ZipStore.create(file);
    ZarrCopy.of(source, Zarr.hierarchy(zip)).run().then(zip.close()).block();
    ZipStore archive = ZipStore.open(file).block();
    assertThat(keys(archive)).isEqualTo(keys(store));
    assertThat(read(Zarr.hierarchy(archive), "t")).isEqualTo(read(source, "t"));
    ZarrCopy.of(Zarr.hierarchy(archive), copy).run().blockLast();
    checkCopied();
  }

  @Test
  void existing_nodes_are_not_touched_unless_an_option_says_so() {
    hierarchy(3);
    copy.createGroup("", GroupMetadata.of(JsonObject.EMPTY.with("mine", true))).block();
    copy.createArray("old", table(3).build()).block();
    List<String> before = keys(target);
    ZarrCopy again = ZarrCopy.of(source, copy);
    assertThatThrownBy(() -> again.run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("a node exists here; resume the work, overwrite");
    assertThatThrownBy(() -> again.ifExists(IfExists.RESUME).run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("other metadata than the new one");
    assertThat(keys(target)).isEqualTo(before);
    again.ifExists(IfExists.OVERWRITE).run().blockLast();
    assertThat(keys(target)).isEqualTo(keys(store));
    checkCopied();
  }

  @ParameterizedTest
  @ValueSource(strings = {"REFUSE", "RESUME", "OVERWRITE"})
  void what_belongs_to_no_node_is_never_touched(IfExists policy) {
    hierarchy(3);
    target.set(StoreKey.of("thesis.tex"), Bytes.utf8("precious")).block();
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).ifExists(policy).run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("a key that belongs to no node exists here: \"thesis.tex\"");
    assertThat(keys(target)).containsExactly("thesis.tex");
  }

  @Test
  void a_copy_that_is_there_is_resumed_without_a_chunk() {
    hierarchy(3);
    ZarrCopy.of(source, copy).run().blockLast();
    CopyProgress end = ZarrCopy.of(source, copy).ifExists(IfExists.RESUME).run().blockLast();
    assertThat(end.chunksSkipped()).isEqualTo(10); // the others are missing in the source
    assertThat(end.chunks()).isEqualTo(18);
    checkCopied();
  }

  @Test
  void half_a_copy_is_no_node_and_resumes_where_it_ended() {
    hierarchy(3);
    ZarrCopy toFormat2 = ZarrCopy.of(source, copy).zarrFormat(2).codecs();
    toFormat2.run().take(3).blockLast(); // a cancel
    assertThat(keys(target)).contains(".zgroup.partial", "t/.zarray.partial");
    assertThatThrownBy(() -> copy.open("").block()).isInstanceOf(NodeNotFoundException.class);
    assertThatThrownBy(() -> toFormat2.run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("an unfinished node exists here");
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).ifExists(IfExists.RESUME).run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("other metadata than the new one");
    toFormat2.ifExists(IfExists.RESUME).run().blockLast();
    checkCopied();
    assertThat(keys(target)).noneMatch(key -> key.endsWith(".partial"));
  }

  @Test
  void half_a_copy_can_be_overwritten() {
    hierarchy(3);
    ZarrCopy.of(source, copy).run().take(2).blockLast();
    ZarrCopy.of(source, copy).chunkShape(7, 7).ifExists(IfExists.OVERWRITE).run().blockLast();
    checkCopied();
    assertThat(keys(target)).doesNotContain("t/c/1/1").contains("t/c/0/0");
  }

  @Test
  void consolidated_metadata_of_other_arrays_is_not_copied() {
    store
        .set(
            StoreKey.of("zarr.json"),
            Bytes.utf8(
                """
                {"zarr_format": 3, "node_type": "group", "attributes": {"a": 1.50},
                 "consolidated_metadata": {"kind": "inline", "must_understand": false,
                  "metadata": {}}, "extra": {"must_understand": false, "x": 1}}\
                """))
        .block();
    ZarrCopy.of(source, copy).consolidated(false).run().blockLast();
    assertThat(copy.openGroup("").block().metadata().document())
        .hasToString(
            "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"a\":1.50},"
                + "\"extra\":{\"must_understand\":false,\"x\":1}}");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void consolidated_metadata_are_made_anew_where_the_source_has_them(int format) {
    hierarchy(5 - format);
    source.openGroup("").flatMap(ZarrGroup::consolidate).block();
    ZarrCopy.of(source, copy).zarrFormat(format).chunkShape(3, 3).run().blockLast();
    checkCopied();
    ConsolidatedMetadata made = copy.openGroup("").block().metadata().consolidated();
    assertThat(made.paths()).containsExactly("deep", "deep/er", "deep/er/t", "empty", "t");
    assertThat(made.get("t").document())
        .isEqualTo(copy.openArray("t").block().metadata().document());
    assertThat(copy.openArray("t").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(3, 3));
  }

  @Test
  void a_node_that_cannot_be_read_is_an_error_before_anything_is_written() {
    hierarchy(3);
    store.set(StoreKey.of("deep/broken/zarr.json"), Bytes.utf8("{")).block();
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).run().blockLast())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("node /deep/broken");
    assertThat(keys(target)).isEmpty();
  }

  @Test
  void names_of_dimensions_are_an_attribute_in_format_2() {
    ArrayMetadata named = table(3).dimensionNames("y", null).build();
    source.createArray("t", named).block();
    ZarrCopy.of(source, copy).from("t").zarrFormat(2).run().blockLast();
    ZarrArray array = copy.openArray("").block();
    assertThat(array.attributes())
        .isEqualTo(Json.value("{'units': 'K', '_ARRAY_DIMENSIONS': ['y', null]}").object());
    ZarrHierarchy back = Zarr.hierarchy(MemoryStore.create());
    ZarrCopy.of(copy, back).zarrFormat(3).run().blockLast();
    assertThat(back.openArray("").block().metadata().dimensionNames())
        .isEqualTo(Arrays.asList("y", null));

    source
        .openArray("t")
        .flatMap(t -> t.updateAttributes(old -> old.with("_ARRAY_DIMENSIONS", "something else")))
        .block();
    ZarrCopy unclear =
        ZarrCopy.of(source, Zarr.hierarchy(MemoryStore.create())).from("t").zarrFormat(2);
    assertThatThrownBy(() -> unclear.run().blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("in the attribute _ARRAY_DIMENSIONS: expected")
        .hasMessageContaining("node /t");
  }

  @Test
  void what_the_other_format_cannot_say_is_refused_before_anything_is_written() {
    hierarchy(3);
    source
        .createArray("z", ArrayMetadata.v3(Shape.of(2), DataTypes.UINT4).uncompressed().build())
        .block();
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).zarrFormat(2).run().blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("Zarr v2 does not have the data type uint4")
        .hasMessageContaining("node /z");
    ZarrCopy sharded = ZarrCopy.of(source, copy).from("t").shardShape(4, 6);
    assertThatThrownBy(() -> sharded.zarrFormat(2).run().blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the codec \"sharding_indexed\"; give the copy another format");
    assertThatThrownBy(
            () -> ZarrCopy.of(source, copy).codecs(NamedConfiguration.of("lzw")).run().blockLast())
        .hasMessageContaining("lzw");
    assertThat(keys(target)).isEmpty();
  }

  @Test
  void a_copy_into_itself_is_refused() {
    hierarchy(3);
    for (ZarrCopy within :
        List.of(
            ZarrCopy.of(source, source).from("deep").to("deep/er/copy"),
            ZarrCopy.of(source, source).from("deep/er").to("deep"),
            ZarrCopy.of(
                Zarr.hierarchy(FileSystemStore.open(directory)),
                Zarr.hierarchy(FileSystemStore.open(directory.resolve("below")))))) {
      assertThatThrownBy(() -> within.ifExists(IfExists.OVERWRITE).run().blockLast())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("one would hold the other");
    }
    ZarrCopy.of(source, source).from("deep").to("deeper").run().blockLast();
    assertThat(read(source, "deeper/er/t")).isEqualTo(read(source, "deep/er/t"));
  }

  @Test
  void places_that_cannot_be_are_refused() {
    hierarchy(3);
    copy.createArray("a", table(3).build()).block();
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).to("a/b").run().blockLast())
        .isInstanceOf(NodeExistsException.class)
        .hasMessageContaining("below an array");
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).zarrFormat(2).to("b").run().blockLast())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("below a group of Zarr v3");
    assertThatThrownBy(
            () -> ZarrCopy.of(source, Zarr.hierarchy(Stores.readOnly(target))).run().blockLast())
        .isInstanceOf(StoreCapabilityException.class);
    assertThatThrownBy(() -> ZarrCopy.of(source, copy).from("nowhere").run().blockLast())
        .isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void the_share_of_the_work_is_that_of_the_bytes_whatever_the_number_of_chunks() {
    for (String path : List.of("a", "b")) {
      source
          .createArray(
              path,
              ArrayMetadata.v3(Shape.of(1_000), DataTypes.INT8)
                  .uncompressed()
                  .chunkShape(path.equals("a") ? 10 : 1_000)
                  .build())
          .flatMap(array -> array.write(Selection.all(), 1))
          .block();
    }
    assertThat(ZarrCopy.of(source, copy).run().filter(done -> done.chunks() == 50).blockFirst())
        .satisfiesAnyOf(
            done -> assertThat(done.share()).isEqualTo(0.25),
            done -> assertThat(done.share()).isEqualTo(0.745)); // the array of one chunk was first
  }

  @Test
  void progress_begins_with_nothing_and_ends_with_everything() {
    hierarchy(3);
    List<CopyProgress> progress = ZarrCopy.of(source, copy).run().collectList().block();
    assertThat(progress.get(0)).extracting(CopyProgress::chunks).isEqualTo(0L);
    assertThat(progress.get(0).chunksInAll()).isEqualTo(18);
    assertThat(progress.get(progress.size() - 1).share()).isOne();
    assertThat(progress).extracting(CopyProgress::chunks).isSorted();
    assertThat(Flux.fromIterable(progress).last().block().node().value()).isEqualTo("/");
  }
}
