package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand in a {@code .zmetadata}. */
class V2ConsolidatedTest {
  private static final String ARRAY =
      "{'zarr_format': 2, 'shape': [4], 'chunks': [2], 'dtype': '<i2', 'compressor': null,"
          + " 'fill_value': 7, 'order': 'C', 'filters': null}";
  private static final String GROUP = "{'zarr_format': 2}";

  @Test
  void it_gives_the_nodes_below_by_the_keys_of_their_documents() {
    ZarrGroup group =
        consolidated(
            "'.zgroup': G, '.zattrs': {'a': 0}, 'g/.zgroup': G, 'g/.zattrs': {'b': [NaN, 1.0]},"
                + " 'g/a/.zarray': A, 'g/.other': [], 'g/attributes only/.zattrs': {}");
    ConsolidatedMetadata below = group.metadata().consolidated();
    assertThat(below.paths()).containsExactly("g", "g/a");
    assertThat(below.children("")).containsExactly("g");
    assertThat(below.children("g")).containsExactly("g/a");
    assertThat(below.get("g").attributes()).hasToString("{\"b\":[NaN,1.0]}");
    assertThat(below.get("g/a")).isInstanceOf(ArrayMetadata.class);
    assertThat(below.get("g/a").zarrFormat()).isEqualTo(2);
    assertThat(group.tree().map(node -> node.path().value()).collectList().block())
        .containsExactly("/top/g", "/top/g/a");
    assertThat(group.attributes().members()).as("of .zattrs, not of .zmetadata").isEmpty();
  }

  @Test
  void a_nested_group_with_empty_consolidated_metadata_of_its_own_says_nothing() {
    ZarrGroup group =
        consolidated(
            "'g/.zgroup': {'zarr_format': 2, 'consolidated_metadata': {'metadata': {}}},"
                + " 'g/a/.zarray': A");
    assertThat(group.openGroup("g").block().children().map(ZarrNode::path).collectList().block())
        .containsExactly(NodePath.of("/top/g/a"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '../evil/.zarray': A        | /..~1evil~1.zarray | invalid path of a node below the group
          'a//b/.zarray': A           | /a~1~1b~1.zarray   | invalid path of a node below the group
          '/.zarray': A               | /~1.zarray         | is empty
          '/a/.zarray': A             | /~1a~1.zarray      | invalid path of a node below the group
          'a/b/.zarray': A            | /a~1b~1.zarray     | has no group as its parent
          'a/.zarray': A, 'a/b/.zarray': A | /a~1b~1.zarray | has no group as its parent
          """)
  void invalid_entries_are_left_out_and_the_others_stay(
      String entries, String pointer, String message) {
    ZarrGroup group = consolidated("'good/.zgroup': G, " + entries);
    assertThat(group.metadata().consolidated().paths()).contains("good").doesNotContain("a/b");
    assertThat(group.openGroup("good").block().path()).isEqualTo(NodePath.of("top/good"));
    MetadataException problem = group.metadata().consolidatedProblem();
    assertThat(problem.location().storeKey()).isEqualTo("top/.zmetadata");
    assertThat(problem.location().jsonPointer()).isEqualTo("/metadata" + pointer);
    assertThat(problem.statement()).contains(message);
    assertThat(group.tree().collectList().block()).as("the store was asked").isEmpty();
  }

  @Test
  void what_is_an_array_and_a_group_is_an_array() {
    ZarrGroup group = consolidated("'a/.zgroup': G, 'a/.zarray': A");
    assertThat(group.metadata().consolidatedProblem()).isNull();
    assertThat(group.children().collectList().block())
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node).isInstanceOf(ZarrArray.class);
              assertThat(node.warnings())
                  .extracting(MetadataWarning::leniency)
                  .containsExactly(Leniency.ARRAY_AND_GROUP);
            });
  }

  @Test
  void names_are_free() {
    ZarrGroup group =
        consolidated(
            "'__g/.zgroup': G, '__g/__a/.zarray': A, '.../.zgroup': G, 'zarr.json/.zarray': A");
    assertThat(group.metadata().consolidatedProblem()).isNull();
    assertThat(group.tree().map(node -> node.path().value()).collectList().block())
        .containsExactly("/top/...", "/top/__g", "/top/zarr.json", "/top/__g/__a");
  }

  @Test
  void a_token_is_the_value_that_it_is_and_consolidating_writes_it_with_quotes() {
    MemoryStore store = MemoryStore.create();
    String array = ARRAY.replace("'<i2'", "'<f4'").replace("'fill_value': 7", "'fill_value': %s");
    put(store, "top/.zgroup", GROUP);
    put(store, "top/a/.zarray", array.formatted("NaN"));
    put(
        store,
        "top/.zmetadata",
        "{'zarr_consolidated_format': 1, 'metadata': {'a/.zarray': "
            + array.formatted("NaN")
            + "}}");
    ZarrGroup group = Zarr.hierarchy(store).openGroup("top").block();
    assertThat(group.warnings())
        .extracting(MetadataWarning::leniency)
        .containsExactly(Leniency.TOKEN_IN_CONSOLIDATED_METADATA);
    ZarrArray known = group.openArray("a").block();
    assertThat(known.metadata().fillValue().toJson()).hasToString("\"NaN\"");
    group.consolidate().block();
    assertThat(text(store, "top/.zmetadata")).contains("\"fill_value\": \"NaN\"");
    assertThat(Zarr.hierarchy(store).openGroup("top").block().warnings()).isEmpty();
  }

  private static String text(MemoryStore store, String key) {
    return new String(store.get(StoreKey.of(key)).block().toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void consolidated_metadata_over_the_limit_are_a_problem_and_never_lacking() {
    MemoryStore store = MemoryStore.create();
    put(store, "top/.zgroup", GROUP);
    put(
        store,
        "top/.zmetadata",
        "{'zarr_consolidated_format': 1, 'metadata': {'x': '" + "y".repeat(500) + "'}}");
    ZarrOptions options =
        ZarrOptions.defaults().withMetadataLimits(MetadataLimits.defaults().withBytes(200));
    ZarrGroup group = Zarr.hierarchy(store, options).openGroup("top").block();
    assertThat(group.metadata().consolidatedProblem().location().storeKey())
        .isEqualTo("top/.zmetadata");
    assertThat(group.metadata().consolidatedProblem()).hasMessageContaining("200");
    assertThat(group.children().collectList().block()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[]", "{'zarr_consolidated_format': 1}", ""})
  void another_document_is_ignored(String document) {
    ZarrGroup group = open(document);
    assertThat(group.metadata().consolidated()).isNull();
    assertThat(group.metadata().consolidatedProblem().location().storeKey())
        .isEqualTo("top/.zmetadata");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{'zarr_consolidated_format': 2, 'metadata': {}}"})
  void another_format_is_not_used_and_said(String document) {
    ZarrGroup group = open(document);
    assertThat(group.metadata().consolidated()).isNull();
    assertThat(group.metadata().consolidatedProblem())
        .hasMessageContaining("zarr_consolidated_format");
  }

  @Test
  void a_broken_document_inside_concerns_its_node_only() {
    ZarrGroup group =
        consolidated(
            "'a/.zarray': {'zarr_format': 2}, 'a/.zattrs': {'x': 1}, 'b/.zarray': A,"
                + " 'c/.zgroup': G, 'c/.zattrs': []");
    assertThatThrownBy(() -> group.open("a").block())
        .isInstanceOfSatisfying(
            ZarrException.class,
            e -> {
              assertThat(e.location().nodePath()).isEqualTo("/top/a");
              assertThat(e.location().storeKey()).isEqualTo("top/.zmetadata");
              assertThat(e.location().jsonPointer()).isEqualTo("/metadata/a~1.zarray");
            });
    assertThat(group.children().collectList().block())
        .extracting(node -> node.path().name() + " " + (node instanceof UnreadableNode))
        .containsExactly("a true", "b false", "c true");
    assertThat(group.children().blockFirst().attributes()).hasToString("{\"x\":1}");
  }

  private static ZarrGroup consolidated(String entries) {
    String text = entries.replace("G", GROUP).replace("A", ARRAY);
    return open("{'zarr_consolidated_format': 1, 'metadata': {" + text + "}}");
  }

  private static ZarrGroup open(String zmetadata) {
    MemoryStore store = MemoryStore.create();
    put(store, "top/.zgroup", GROUP);
    put(store, "top/.zmetadata", zmetadata);
    return Zarr.hierarchy(store).openGroup("top").block();
  }

  private static void put(MemoryStore store, String key, String json) {
    store.set(StoreKey.of(key), Bytes.utf8(json.replace('\'', '"'))).block();
  }
}
