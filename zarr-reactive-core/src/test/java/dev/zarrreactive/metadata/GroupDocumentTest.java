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
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand in the {@code zarr.json} of a group. */
class GroupDocumentTest {
  private static final JsonObject DOCUMENT =
      Json.object("{'zarr_format': 3, 'node_type': 'group', 'attributes': {'a': 1}}");

  private static final String ARRAY =
      "{'zarr_format': 3, 'node_type': 'array', 'shape': [], 'data_type': 'bool',"
          + " 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': []}},"
          + " 'chunk_key_encoding': 'default', 'fill_value': true, 'codecs': ['bytes']}";

  private static final String GROUP = "{'zarr_format': 3, 'node_type': 'group'}";

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          -/node_type      | ``           | the member "node_type" is missing
          /zarr_format=2   | /zarr_format | expected the integer 3, found 2
          /shape=[1]       | /shape       | unknown member "shape" of the group
          /codecs=[]       | /codecs      | unknown member "codecs" of the group
          /extensions=[]   | /extensions  | unknown member "extensions"
          /extra={'must_understand': true} | /extra | unknown member "extra"
          /attributes='x'  | /attributes  | expected an object, found "x"
          """)
  void a_broken_rule_is_refused_at_its_place(String edit, String pointer, String message) {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.location().storeKey()).isEqualTo("g/zarr.json");
              assertThat(e.statement()).contains(message);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-/attributes",
        "/attributes=null",
        "/attributes={}",
        "/extra={'must_understand': false, 'a': [1, 2.50]}",
        "/consolidated_metadata=null",
        "/consolidated_metadata={'must_understand': false, 'kind': 'inline', 'metadata': {}}",
        "/consolidated_metadata={'must_understand': false, 'kind': 'parquet', 'uri': 'x'}",
      })
  void a_valid_document_is_opened(String edit) {
    JsonObject document = Json.edited(DOCUMENT, edit);
    assertThat(open(document).metadata().document()).isEqualTo(document);
  }

  @Test
  void attributes_keep_tokens_that_json_lacks() {
    String text =
        "{\"zarr_format\":3,\"node_type\":\"group\","
            + "\"attributes\":{\"z\":[NaN,-Infinity],\"a\":1.0,\"b\":1,\"c\":1e2}}";
    JsonObject attributes = open(text).attributes();
    assertThat(attributes)
        .hasToString("{\"z\":[NaN,-Infinity],\"a\":1.0,\"b\":1,\"c\":1e2}"); // as they are spelled
  }

  @Test
  void a_hierarchy_of_the_2022_draft_is_refused_by_its_name() {
    String draft = "https://purl.org/zarr/spec/protocol/core/3.0";
    JsonObject entryPoint = DOCUMENT.with("zarr_format", new JsonString(draft));
    assertThatThrownBy(() -> open(entryPoint))
        .isInstanceOfSatisfying(
            UnsupportedFeatureException.class,
            e -> {
              assertThat(e.statement()).contains("2022 draft", draft);
              assertThat(e.location().jsonPointer()).isEqualTo("/zarr_format");
            });
  }

  @Test
  void consolidated_metadata_gives_the_nodes_below_by_relative_path() {
    ConsolidatedMetadata consolidated =
        consolidated(
            "{'a': " + GROUP + ", 'a/b': " + ARRAY + ", '/with slash': " + GROUP + ", 'z': {}}",
            "-/consolidated_metadata/metadata/z");
    assertThat(consolidated.paths()).containsExactly("a", "a/b", "with slash");
    assertThat(consolidated.get("a")).isInstanceOf(GroupMetadata.class);
    assertThat(consolidated.get("a/b")).isInstanceOf(ArrayMetadata.class);
    assertThat(consolidated.get("c")).isNull();
  }

  @Test
  void a_nested_group_with_empty_consolidated_metadata_of_its_own_says_nothing() {
    String nested =
        "{'zarr_format': 3, 'node_type': 'group', 'consolidated_metadata':"
            + " {'must_understand': false, 'kind': 'inline', 'metadata': {}}}";
    assertThat(consolidated("{'a': " + nested + ", 'a/b': " + ARRAY + "}", "-/x").paths())
        .containsExactly("a", "a/b");
  }

  @Test
  void a_broken_document_inside_is_refused_when_it_is_asked_for() {
    ConsolidatedMetadata consolidated =
        consolidated("{'a': " + ARRAY + "}", "/consolidated_metadata/metadata/a/shape=[-1]");
    assertThatThrownBy(() -> consolidated.get("a"))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().nodePath()).isEqualTo("/g/a");
              assertThat(e.location().storeKey()).isEqualTo("g/zarr.json");
              assertThat(e.location().jsonPointer())
                  .isEqualTo("/consolidated_metadata/metadata/a/shape/0");
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '..': G                   | /..      | invalid path of a node below the group
          'a/../b': G               | /a~1..~1b | invalid path of a node below the group
          'a//b': G                 | /a~1~1b  | invalid path of a node below the group
          'a/': G                   | /a~1     | invalid path of a node below the group
          '': G                     | /        | is empty
          'a': G, '/a': G           | /~1a     | duplicate
          'a/b': G                  | /a~1b    | has no group as its parent
          'a': A, 'a/b': G          | /a~1b    | has no group as its parent
          """)
  void an_entry_that_leads_astray_is_left_out_and_the_others_stay(
      String entries, String pointer, String message) {
    String metadata =
        "{'good': " + GROUP + ", " + entries.replace("G", GROUP).replace("A", ARRAY) + "}";
    ZarrGroup group = open(consolidating(metadata, "-/x"));
    assertThat(group.metadata().consolidated().paths()).contains("good").doesNotContain("a/b");
    assertThat(group.openGroup("good").block().path()).isEqualTo(NodePath.of("g/good"));
    MetadataException problem = group.metadata().consolidatedProblem();
    assertThat(group.metadata().consolidated().problems()).containsExactly(problem);
    assertThat(problem.location().jsonPointer())
        .isEqualTo("/consolidated_metadata/metadata" + pointer);
    assertThat(problem.location().storeKey()).isEqualTo("g/zarr.json");
    assertThat(problem.statement()).contains(message);
    assertThat(group.tree().collectList().block()).as("the store was asked").isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'a': []                   | /a       | expected an object
          'a': 7                    | /a       | expected an object
          'a': null                 | /a       | expected an object
          'a': {'zarr_format': 3}   | /a       | the member "node_type" is missing
          'a': {'zarr_format': 3, 'node_type': 'file'} | /a/node_type | expected one of "array"
          'a': {'zarr_format': 3, 'node_type': 'group', 'x': NaN} | /a/x | the token NaN
          'a': {'zarr_format': 3, 'node_type': 'group', 'x': {'y': [1, Infinity]}} | /a/x/y/1 | the token Infinity
          '__a': G                  | /__a     | Zarr v3 reserves
          '...': G                  | /...     | Zarr v3 reserves
          """)
  void a_broken_entry_is_an_unreadable_node_among_the_others(
      String entry, String pointer, String message) {
    String metadata = "{'b': " + ARRAY + ", " + entry.replace("G", GROUP) + "}";
    ZarrGroup group = open(consolidatedText(metadata).replace('\'', '"'));
    assertThat(group.metadata().consolidatedProblem()).isNull();
    List<ZarrNode> children = group.children().collectList().block();
    assertThat(children).hasSize(2).hasAtLeastOneElementOfType(ZarrArray.class);
    assertThat(children)
        .filteredOn(node -> node instanceof UnreadableNode)
        .singleElement()
        .satisfies(
            node -> {
              ZarrException error = ((UnreadableNode) node).error();
              assertThat(error.statement()).contains(message);
              assertThat(error.location().jsonPointer())
                  .isEqualTo("/consolidated_metadata/metadata" + pointer);
            });
    assertThat(group.openArray("b").block().path()).isEqualTo(NodePath.of("g/b"));
  }

  @Test
  void a_broken_entry_is_read_from_the_document_of_its_node_where_there_is_one() {
    MemoryStore store = MemoryStore.create();
    put(store, "g/zarr.json", consolidating("{'a': [], 'b': {'node_type': 'array'}}", "-/x"));
    put(store, "g/a/zarr.json", Json.object(ARRAY));
    ZarrGroup group = Zarr.hierarchy(store).openGroup("g").block();
    assertThat(group.children().collectList().block())
        .extracting(node -> node.path().name() + " " + (node instanceof ZarrArray))
        .containsExactly("a true", "b false");
    assertThat(group.openArray("a").block().path()).isEqualTo(NodePath.of("g/a"));
    assertThatThrownBy(() -> group.open("b").block())
        .hasMessageContaining("\"zarr_format\" is missing");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                   | ``    | expected an object, found array
          'x'                  | ``    | expected an object, found "x"
          7                    | ``    | expected an object, found 7
          {}                   | ``    | the member "kind" is missing
          {'kind': 'parquet', 'uri': 'x'} | /kind | expected one of "inline", found "parquet"
          {'kind': 'inline', 'metadata': []} | /metadata | expected an object
          {'kind': 'inline', 'metadata': NaN} | /metadata | expected an object
          """)
  void broken_consolidated_metadata_leave_the_group_as_it_is(
      String consolidated, String pointer, String message) {
    MemoryStore store = MemoryStore.create();
    String text =
        "{'zarr_format': 3, 'consolidated_metadata': %s, 'node_type': 'group',"
            + " 'attributes': {'a': 1}}";
    put(store, "g/zarr.json", text.formatted(consolidated));
    put(store, "g/b/zarr.json", Json.object(ARRAY));
    ZarrGroup group = Zarr.hierarchy(store).openGroup("g").block();
    assertThat(group.attributes()).hasToString("{\"a\":1}");
    assertThat(group.metadata().consolidated()).isNull();
    MetadataException problem = group.metadata().consolidatedProblem();
    assertThat(problem.location().jsonPointer()).isEqualTo("/consolidated_metadata" + pointer);
    assertThat(problem.statement()).contains(message);
    assertThat(group.children().map(ZarrNode::path).collectList().block())
        .containsExactly(NodePath.of("g/b"));
    ZarrGroup mended = group.consolidate().block();
    assertThat(mended.metadata().consolidatedProblem()).isNull();
    assertThat(mended.metadata().consolidated().paths()).containsExactly("b");
    assertThat(Zarr.hierarchy(store).openGroup("g").block().metadata().consolidated().paths())
        .containsExactly("b");
  }

  @Test
  void a_token_in_consolidated_metadata_is_the_value_that_it_is_and_is_written_with_quotes() {
    MemoryStore store = MemoryStore.create();
    String array =
        "{'zarr_format': 3, 'node_type': 'array', 'shape': [2], 'data_type': 'float32',"
            + " 'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [1]}},"
            + " 'chunk_key_encoding': 'default', 'fill_value': %s, 'codecs': [{'name': 'bytes',"
            + " 'configuration': {'endian': 'little'}}]}";
    put(store, "g/zarr.json", consolidatedText("{'a': " + array.formatted("-Infinity") + "}"));
    put(store, "g/a/zarr.json", array.formatted("'-Infinity'"));
    ZarrGroup group = Zarr.hierarchy(store).openGroup("g").block();
    ZarrArray found = group.children().cast(ZarrArray.class).blockFirst();
    assertThat(found.metadata().fillValue().toJson()).hasToString("\"-Infinity\"");
    assertThat(found.metadata().document().get("fill_value")).hasToString("\"-Infinity\"");
    assertThat(found.warnings())
        .extracting(MetadataWarning::leniency)
        .containsExactly(Leniency.TOKEN_AS_FILL_VALUE);
    assertThat(group.warnings())
        .extracting(MetadataWarning::leniency)
        .containsExactly(Leniency.TOKEN_IN_CONSOLIDATED_METADATA);
    group.consolidate().block();
    assertThat(Zarr.hierarchy(store).openGroup("g").block().warnings()).isEmpty();
  }

  @Test
  void too_many_values_in_consolidated_metadata_leave_them_out_alone() {
    MemoryStore store = MemoryStore.create();
    put(store, "g/zarr.json", consolidatedText("{'a': {'x': [['y', ['z', {}]], 2.5, {'b': []}]}}"));
    put(store, "g/b/zarr.json", Json.object(ARRAY));
    ZarrOptions options =
        ZarrOptions.defaults().withMetadataLimits(MetadataLimits.defaults().withElements(12));
    ZarrGroup group = Zarr.hierarchy(store, options).openGroup("g").block();
    assertThat(group.attributes()).as("behind the consolidated metadata").hasToString("{\"a\":1}");
    assertThat(group.metadata().consolidatedProblem()).hasMessageContaining("more than 12 values");
    assertThat(group.metadata().carriesConsolidated()).isTrue();
  }

  @Test
  void consolidating_keeps_an_array_with_a_reserved_name_and_refuses_a_group() {
    MemoryStore store = MemoryStore.create();
    put(store, "g/zarr.json", GROUP);
    put(store, "g/a/zarr.json", ARRAY);
    put(store, "g/__b/zarr.json", ARRAY);
    ZarrGroup group = Zarr.hierarchy(store).openGroup("g").block().consolidate().block();
    assertThat(group.metadata().consolidated().paths()).containsExactly("__b", "a");
    assertThat(Zarr.hierarchy(store).openGroup("g").block().children().collectList().block())
        .extracting(node -> node.path().name() + " " + (node instanceof UnreadableNode))
        .containsExactly("__b true", "a false");
    put(store, "g/__c/zarr.json", GROUP);
    assertThatThrownBy(() -> group.consolidate().block())
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("Zarr v3 reserves")
        .hasMessageContaining("node /g/__c");
  }

  @Test
  void a_path_that_occurs_twice_is_what_is_said_last() {
    MemoryStore store = MemoryStore.create();
    put(store, "g/zarr.json", consolidatedText("{'a': " + GROUP + ", 'a': " + ARRAY + "}"));
    ZarrGroup group = Zarr.hierarchy(store).openGroup("g").block();
    assertThat(group.children().blockFirst()).isInstanceOf(ZarrArray.class);
    assertThat(group.warnings())
        .extracting(MetadataWarning::leniency)
        .containsExactly(Leniency.DUPLICATE_MEMBER);
  }

  private static String consolidatedText(String metadata) {
    return "{'zarr_format': 3, 'node_type': 'group', 'consolidated_metadata': {'kind': 'inline',"
        + " 'must_understand': false, 'metadata': "
        + metadata
        + "}, 'attributes': {'a': 1}}";
  }

  private static void put(MemoryStore store, String key, JsonObject document) {
    put(store, key, document.toString());
  }

  private static void put(MemoryStore store, String key, String document) {
    store.set(StoreKey.of(key), Bytes.utf8(document.replace('\'', '"'))).block();
  }

  @Test
  void consolidated_metadata_without_its_nodes_are_not_used() {
    JsonObject document = consolidating("{}", "-/consolidated_metadata/metadata");
    assertThat(open(document).metadata().consolidatedProblem())
        .hasMessageContaining("the member \"metadata\" is missing");
  }

  private static ConsolidatedMetadata consolidated(String metadata, String edit) {
    return open(consolidating(metadata, edit)).metadata().consolidated();
  }

  private static JsonObject consolidating(String metadata, String edit) {
    String inline = "{'must_understand': false, 'kind': 'inline', 'metadata': " + metadata + "}";
    return Json.edited(Json.edited(DOCUMENT, "/consolidated_metadata=" + inline), edit);
  }

  private static ZarrGroup open(JsonObject document) {
    return open(document.toString());
  }

  private static ZarrGroup open(String document) {
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of("g/zarr.json"), Bytes.utf8(document)).block();
    return Zarr.hierarchy(store).openGroup("g").block();
  }
}
