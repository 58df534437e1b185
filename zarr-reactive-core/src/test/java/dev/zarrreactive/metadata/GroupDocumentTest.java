package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
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
          /consolidated_metadata=[] | /consolidated_metadata | expected an object, found array
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
          'a': []                   | /a       | expected an object
          'a': {'zarr_format': 3}   | /a       | the member "node_type" is missing
          'a': {'node_type': 'file'} | /a/node_type | expected one of "array", "group"
          '..': G                   | /..      | invalid path of a node below the group
          'a/../b': G               | /a~1..~1b | invalid path of a node below the group
          'a//b': G                 | /a~1~1b  | invalid path of a node below the group
          'a/': G                   | /a~1     | invalid path of a node below the group
          '': G                     | /        | is empty
          'a': G, '/a': G           | /~1a     | duplicate
          'a/b': G                  | /a~1b    | has no group as its parent
          'a': A, 'a/b': G          | /a~1b    | has no group as its parent
          """)
  void consolidated_metadata_that_leads_astray_is_not_used(
      String entries, String pointer, String message) {
    String metadata = "{" + entries.replace("G", GROUP).replace("A", ARRAY) + "}";
    ZarrGroup group = open(consolidating(metadata, "-/x"));
    assertThat(group.metadata().consolidated()).isNull();
    MetadataException problem = group.metadata().consolidatedProblem();
    assertThat(problem.location().jsonPointer())
        .isEqualTo("/consolidated_metadata/metadata" + pointer);
    assertThat(problem.location().storeKey()).isEqualTo("g/zarr.json");
    assertThat(problem.statement()).contains(message);
    assertThat(group.tree().collectList().block()).isEmpty(); // the store was asked
    assertThat(group.exists("a").block()).isFalse();
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
    return Zarr.openGroup(store, "g").block();
  }
}
