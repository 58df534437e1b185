package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Metadata that were made to do harm end in an error or in right values. Where an algorithm took
 * time that grew with the square of the size, these sizes would take it many minutes; the bound of
 * the tests is no measurement.
 */
@Timeout(120)
class HostileMetadataTest {
  private static final Duration LONG = Duration.ofSeconds(100);

  private final MemoryStore store = MemoryStore.create();

  private ZarrHierarchy withLimits(MetadataLimits limits) {
    return Zarr.hierarchy(store, ZarrOptions.defaults().withMetadataLimits(limits));
  }

  private void put(String key, String text) {
    store.set(StoreKey.of(key), Bytes.utf8(text)).block(LONG);
  }

  private static String list(int count, IntFunction<Object> element) {
    return IntStream.range(0, count)
        .mapToObj(i -> element.apply(i).toString())
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String array(String shape, String grid, String codecs) {
    return "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":"
        + shape
        + ",\"data_type\":\"uint8\",\"fill_value\":7,\"chunk_grid\":"
        + grid
        + ",\"chunk_key_encoding\":{\"name\":\"default\"},\"codecs\":"
        + codecs
        + "}";
  }

  private static String regular(String chunkShape) {
    return "{\"name\":\"regular\",\"configuration\":{\"chunk_shape\":" + chunkShape + "}}";
  }

  private static String rectilinear(String chunkShapes) {
    return "{\"name\":\"rectilinear\",\"configuration\":{\"kind\":\"inline\",\"chunk_shapes\":"
        + chunkShapes
        + "}}";
  }

  private static final String BYTES = "[{\"name\":\"bytes\"}]";

  private ZarrException failure(MetadataLimits limits, String path) {
    ZarrNode node = withLimits(limits).inspect(path).block(LONG);
    assertThat(node).isInstanceOf(UnreadableNode.class);
    return ((UnreadableNode) Objects.requireNonNull(node)).error();
  }

  private ZarrException failure(String path) {
    return failure(MetadataLimits.defaults(), path);
  }

  @Test
  void a_document_above_the_bound_is_refused_by_the_store() {
    put("a/zarr.json", array("[4]", regular("[4]"), BYTES));
    ZarrException error = failure(MetadataLimits.defaults().withBytes(100), "a");
    assertThat(error).isInstanceOf(ValueTooLargeException.class);
    assertThat(error.location().storeKey()).isEqualTo("a/zarr.json");
    assertThat(error.location().nodePath()).isEqualTo("/a");
  }

  @ParameterizedTest
  @ValueSource(strings = {".zarray", ".zgroup", ".zattrs"})
  void a_document_of_zarr_2_above_the_bound_is_refused_too(String large) {
    put("a/.zgroup", "{\"zarr_format\": 2}");
    put("a/" + large, "{\"zarr_format\": 2, \"x\": \"" + "x".repeat(200) + "\"}");
    ZarrException error = failure(MetadataLimits.defaults().withBytes(100), "a");
    assertThat(error).isInstanceOf(ValueTooLargeException.class);
    assertThat(error.location().storeKey()).isEqualTo("a/" + large);
  }

  @Test
  void a_node_whose_document_is_too_large_does_not_hide_the_others() {
    put("zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
    put("small/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\"}");
    put("large/zarr.json", array("[4]", regular("[4]"), BYTES));
    ZarrGroup root = withLimits(MetadataLimits.defaults().withBytes(60)).openGroup("").block(LONG);
    assertThat(Objects.requireNonNull(root).tree().collectList().block(LONG))
        .extracting(node -> node.path() + " " + (node instanceof UnreadableNode))
        .containsExactlyInAnyOrder("/small false", "/large true");
  }

  @Test
  void consolidated_metadata_of_zarr_2_above_the_bound_are_not_used() {
    put(".zgroup", "{\"zarr_format\": 2}");
    put("a/.zgroup", "{\"zarr_format\": 2}");
    put(
        ".zmetadata",
        "{\"zarr_consolidated_format\": 1, \"metadata\": {\"gone/.zgroup\": {\"zarr_format\": 2}}}"
            + " ".repeat(100));
    ZarrHierarchy hierarchy = withLimits(MetadataLimits.defaults().withBytes(100));
    ZarrGroup root = Objects.requireNonNull(hierarchy.openGroup("").block(LONG));
    assertThat(root.children().map(node -> node.path().toString()).collectList().block(LONG))
        .containsExactly("/a");
    hierarchy.createGroup("b", root.metadata()).block(LONG);
    assertThat(store.get(StoreKey.of(".zmetadata")).blockOptional(LONG)).isEmpty();
  }

  @Test
  void a_document_that_could_not_be_read_again_is_not_written() {
    ZarrHierarchy hierarchy = withLimits(MetadataLimits.defaults().withBytes(200));
    hierarchy.createGroup("a").block(LONG);
    assertThatThrownBy(
            () ->
                hierarchy
                    .createGroup(
                        "b", GroupMetadata.of(JsonObject.EMPTY.with("text", "x".repeat(200))))
                    .block(LONG))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the options allow at most 200");
    assertThat(hierarchy.exists("b").block(LONG)).isFalse();
  }

  @Test
  void more_values_than_the_bound_are_refused() {
    put("a/zarr.json", "{\"attributes\":{\"x\":" + list(2_000, i -> "\"" + i + "\"") + "}}");
    ZarrException error = failure(MetadataLimits.defaults().withElements(1_000), "a");
    assertThat(error).isInstanceOf(MetadataException.class);
    assertThat(error.statement()).contains("more than 1000 values");
  }

  @Test
  void of_a_list_of_integers_four_count_as_one() {
    String text = "{\"zarr_format\":3,\"node_type\":\"group\",\"attributes\":{\"x\":";
    put("a/zarr.json", text + list(3_000, i -> i) + "}}");
    put("b/zarr.json", text + list(5_000, i -> i) + "}}");
    MetadataLimits limits = MetadataLimits.defaults().withElements(1_000);
    assertThat(withLimits(limits).openGroup("a").block(LONG)).isNotNull();
    assertThat(failure(limits, "b").statement()).contains("more than 1000 values");
  }

  @Test
  void consolidated_metadata_of_more_nodes_than_the_bound_are_not_used() {
    String group = "{\"zarr_format\":3,\"node_type\":\"group\"";
    put("a/zarr.json", group + "}");
    put(
        "zarr.json",
        group
            + ",\"consolidated_metadata\":{\"kind\":\"inline\",\"must_understand\":false,"
            + "\"metadata\":{\"x\":"
            + group
            + "},\"y\":"
            + group
            + "}}}}");
    assertThat(children(MetadataLimits.defaults().withNodes(2))).containsExactly("/x", "/y");
    assertThat(children(MetadataLimits.defaults().withNodes(1))).containsExactly("/a");
  }

  private List<String> children(MetadataLimits limits) {
    return withLimits(limits)
        .openGroup("")
        .flatMapMany(ZarrGroup::children)
        .map(node -> node.path().toString())
        .collectList()
        .block(LONG);
  }

  @Test
  void more_dimensions_than_the_bound_are_refused_before_they_are_looked_at() {
    String ones = list(100_000, i -> 1);
    put("a/zarr.json", array(ones, regular(ones), BYTES));
    ZarrException error = failure("a");
    assertThat(error).isInstanceOf(UnsupportedFeatureException.class);
    assertThat(error.statement()).contains("100000 dimensions", "at most 1024");
    assertThat(error.location().jsonPointer()).isEqualTo("/shape");
  }

  @Test
  void the_bound_holds_for_zarr_2_and_for_consolidated_nodes() {
    String array =
        "{\"zarr_format\":2,\"shape\":[1,1,1],\"chunks\":[1,1,1],\"dtype\":\"|u1\","
            + "\"fill_value\":0,\"order\":\"C\",\"filters\":null,\"compressor\":null}";
    put("a/.zarray", array);
    put(".zgroup", "{\"zarr_format\": 2}");
    put(
        ".zmetadata",
        "{\"zarr_consolidated_format\": 1, \"metadata\": {\"b/.zarray\": " + array + "}}");
    MetadataLimits limits = MetadataLimits.defaults().withRank(2);
    assertThat(failure(limits, "a").statement()).contains("3 dimensions");
    ZarrNode below =
        withLimits(limits).openGroup("").flatMapMany(ZarrGroup::children).blockFirst(LONG);
    assertThat(below).isInstanceOf(UnreadableNode.class);
  }

  @Test
  void a_hundred_thousand_dimensions_are_linear() {
    String ones = list(100_000, i -> 1);
    MetadataLimits limits = MetadataLimits.defaults().withRank(1_000_000);
    put("regular/zarr.json", array(ones, regular(ones), BYTES));
    put("lists/zarr.json", array(ones, rectilinear(list(100_000, i -> "[1,2]")), BYTES));
    String huge = list(100_000, i -> Long.MAX_VALUE);
    put("huge/zarr.json", array(huge, regular(huge), BYTES));
    String shards =
        "[{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":"
            + ones
            + ",\"codecs\":"
            + BYTES
            + ",\"index_codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]}}]";
    put("shards/zarr.json", array(ones, regular(ones), shards));
    String transposed =
        "[{\"name\":\"transpose\",\"configuration\":{\"order\":"
            + list(100_000, i -> 99_999 - i)
            + "}},{\"name\":\"bytes\"}]";
    put("transposed/zarr.json", array(ones, regular(ones), transposed));
    for (String name : new String[] {"regular", "lists", "huge", "shards", "transposed"}) {
      ZarrArray array = withLimits(limits).openArray(name).block(LONG);
      assertThat(Objects.requireNonNull(array).shape().rank()).isEqualTo(100_000);
    }
  }

  @Test
  void two_million_listed_edges_are_read_right() {
    put("a/zarr.json", array("[2000000]", rectilinear("[" + list(2_000_000, i -> 1) + "]"), BYTES));
    ZarrArray array = Objects.requireNonNull(withLimits(ofAnyHeap()).openArray("a").block(LONG));
    assertThat(array.chunkGrid().gridShape()).isEqualTo(Shape.of(2_000_000));
    assertThat(array.chunkGrid().chunkStart(1_999_999)).containsExactly(1_999_999);
    assertThat(array.read(Selection.parse("1999998:")).block(LONG))
        .satisfies(data -> assertThat(data.toIntArray()).containsExactly(7, 7));
  }

  private static MetadataLimits ofAnyHeap() {
    return MetadataLimits.defaults().withElements(10_000_000);
  }

  @Test
  void a_million_lengths_of_chunks_are_not_all_bound() {
    put("a/zarr.json", array("[10]", rectilinear("[" + list(1_000_000, i -> i + 1) + "]"), BYTES));
    assertThat(withLimits(ofAnyHeap()).openArray("a").block(LONG)).isNotNull();
  }

  @Test
  void chains_of_many_codecs_are_refused() {
    String codecs = list(65, i -> i == 0 ? "{\"name\":\"bytes\"}" : "{\"name\":\"crc32c\"}");
    put("a/zarr.json", array("[1]", regular("[1]"), codecs));
    assertThat(failure("a").statement()).contains("65 codecs", "at most 64");
  }

  /** Two-letter words whose hash is the same: sets that probe would take a day. */
  private static String collision(int number) {
    StringBuilder name = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  @Test
  void names_of_one_hash_are_no_slower_than_others() {
    String fields =
        list(30_000, i -> "{\"name\":\"" + collision(i) + "\",\"data_type\":\"uint8\"}");
    String values =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "\"" + collision(i) + "\":0")
            .collect(Collectors.joining(",", "{", "}"));
    put(
        "a/zarr.json",
        array("[1]", regular("[1]"), BYTES)
            .replace(
                "\"uint8\"", "{\"name\":\"struct\",\"configuration\":{\"fields\":" + fields + "}}")
            .replace("\"fill_value\":7", "\"fill_value\":" + values));
    ZarrArray array = withLimits(ofAnyHeap()).openArray("a").block(LONG);
    assertThat(Objects.requireNonNull(array).dataType().itemSize()).isEqualTo(30_000);
  }

  @Test
  void long_names_in_nested_fields_are_not_copied_at_each_level() {
    String type = "\"|u1\"";
    for (int depth = 0; depth < 60; depth++) {
      type = "[[\"" + "n".repeat(200_000) + depth + "\"," + type + "]]";
    }
    put(
        "a/.zarray",
        "{\"zarr_format\":2,\"shape\":[1],\"chunks\":[1],\"dtype\":"
            + type
            + ",\"fill_value\":null,\"order\":\"C\",\"filters\":null,\"compressor\":null}");
    assertThat(withLimits(ofAnyHeap()).inspect("a").block(LONG)).isNotNull();
  }

  @Test
  void long_names_of_nested_objects_are_not_copied_at_each_level() {
    String value = "1";
    for (int depth = 0; depth < 200; depth++) {
      value = "{\"" + "n".repeat(40_000) + depth + "\":" + value + "}";
    }
    put("a/zarr.json", "{\"zarr_format\":3,\"node_type\":\"group\",\"x\":" + value + "}");
    assertThat(failure("a").statement()).contains("unknown member \"x\"");
  }

  @Test
  void a_shape_of_many_huge_extents_is_refused_by_reshape() {
    String codecs =
        "[{\"name\":\"reshape\",\"configuration\":{\"shape\":"
            + list(300_000, i -> Long.MAX_VALUE)
            + "}},{\"name\":\"bytes\"}]";
    put("a/zarr.json", array("[1]", regular("[1]"), codecs));
    assertThat(failure("a").statement()).contains("300000 dimensions");
  }

  @Test
  void many_unknown_members_of_a_codec_are_linear() {
    String members =
        IntStream.range(0, 300_000)
            .mapToObj(i -> ",\"x" + i + "\":0")
            .collect(Collectors.joining());
    put(
        "a/.zarray",
        "{\"zarr_format\":2,\"shape\":[1],\"chunks\":[1],\"dtype\":\"|u1\",\"fill_value\":0,"
            + "\"order\":\"C\",\"filters\":null,\"compressor\":{\"id\":\"zlib\""
            + members
            + "}}");
    assertThat(withLimits(ofAnyHeap()).openArray("a").block(LONG)).isNotNull();
  }

  @Test
  void a_long_name_does_not_make_a_long_message() {
    String name = "x".repeat(1_000_000);
    put("a/zarr.json", array("[1]", regular("[1]"), "[{\"name\":\"" + name + "\"}]"));
    put("b/zarr.json", array("[1]", regular("[1]"), BYTES).replace("uint8", name));
    put("c/.zarray", "{\"zarr_format\":\"" + name + "\"}");
    for (String path : new String[] {"a", "b", "c"}) {
      assertThat(failure(path).getMessage()).hasSizeLessThan(10_000);
    }
  }
}
