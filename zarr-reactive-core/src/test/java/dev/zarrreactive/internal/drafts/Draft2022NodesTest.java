package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.MetadataWarning;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Nodes of the 2022 draft: where they are, in both flavours, and what cannot be done to them. */
class Draft2022NodesTest {
  /** As the document has it. */
  static final String ENTRY_POINT =
      """
      {'zarr_format': 'https://purl.org/zarr/spec/core/3.0',
       'metadata_encoding': {'type': 'json', 'metadata_key_suffix': '.json'},
       'extensions': []}
      """;

  /** As programs wrote it. */
  static final String OLDER_ENTRY_POINT =
      """
      {'zarr_format': 'https://purl.org/zarr/spec/protocol/core/3.0',
       'metadata_encoding': 'https://purl.org/zarr/spec/protocol/core/3.0',
       'metadata_key_suffix': '.json',
       'extensions': []}
      """;

  static final String ARRAY =
      """
      {'shape': [4], 'data_type': 'uint8', 'chunk_memory_layout': 'C', 'fill_value': 7,
       'chunk_grid': {'type': 'regular', 'chunk_shape': [2], 'separator': '/'},
       'extensions': [], 'attributes': {'a': 1}}
      """;

  private static final String SCALAR =
      ARRAY.replace("[4]", "[]").replace("'chunk_shape': [2]", "'chunk_shape': []");

  private static final ZarrOptions OPTIONS =
      ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2022));

  private final MemoryStore store = MemoryStore.create();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store, OPTIONS);

  @Test
  void nodes_are_where_the_document_has_them() {
    put("zarr.json", ENTRY_POINT);
    put("meta/group.json", "{'attributes': {'title': 'x'}}");
    put("meta/a/b.array.json", ARRAY);
    put("meta/g.group.json", "{'attributes': {}}");
    put("data/a/b/c1", new byte[] {1, 2});
    check();
    assertThat(hierarchy.openGroup("").block().attributes())
        .isEqualTo(Json.object("{'title': 'x'}"));
  }

  @Test
  void nodes_are_where_programs_wrote_them() {
    put("zarr.json", OLDER_ENTRY_POINT);
    put("meta/root.group.json", "{'attributes': {'title': 'x'}}");
    put("meta/root/a/b.array.json", ARRAY);
    put("meta/root/g.group.json", "{'attributes': {}}");
    put("data/root/a/b/c1", new byte[] {1, 2});
    check();
    assertThat(hierarchy.openGroup("").block().attributes())
        .isEqualTo(Json.object("{'title': 'x'}"));
  }

  private void check() {
    ZarrArray array = hierarchy.openArray("a/b").block();
    assertThat(array.read(Selection.all()).block().toShortArray()).containsExactly(7, 7, 1, 2);
    assertThat(array.attributes()).isEqualTo(Json.object("{'a': 1}"));
    assertThat(array.metadata().document()).isEqualTo(Json.object(ARRAY));
    assertThat(array.metadata().draft()).isEqualTo(Draft.OF_2022);
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(names(root)).containsExactly("/a", "/g", "/a/b");
    assertThat(root.open("a").block().metadata())
        .isInstanceOfSatisfying(
            GroupMetadata.class, group -> assertThat(group.isImplicit()).isTrue());
    assertThat(root.openGroup("g").block().metadata().isImplicit()).isFalse();
    assertThat(hierarchy.exists("a").block()).isTrue();
    assertThat(hierarchy.exists("a/b").block()).isTrue();
    assertThat(hierarchy.exists("").block()).isTrue();
    assertThat(hierarchy.exists("nothing").block()).isFalse();
    assertThatThrownBy(() -> hierarchy.open("nothing").block())
        .isInstanceOf(NodeNotFoundException.class);
    assertThatThrownBy(() -> hierarchy.openGroup("a/b").block())
        .isInstanceOf(MetadataException.class);
  }

  @ParameterizedTest
  @CsvSource({"meta/array.json, data/c1", "meta/root.array.json, data/root/c1"})
  void the_root_may_be_an_array(String document, String chunk) {
    put("zarr.json", document.contains("root") ? OLDER_ENTRY_POINT : ENTRY_POINT);
    put(document, ARRAY);
    put(chunk, new byte[] {1, 2});
    assertThat(hierarchy.openArray("").block().read(Selection.all()).block().toShortArray())
        .containsExactly(7, 7, 1, 2);
  }

  @Test
  void a_child_that_breaks_a_rule_is_listed_as_unreadable() {
    put("zarr.json", ENTRY_POINT);
    put("meta/a.array.json", "{'shape': 1}");
    put("meta/b.array.json", ARRAY);
    List<ZarrNode> children =
        hierarchy.openGroup("").flatMapMany(ZarrGroup::children).collectList().block();
    assertThat(children.get(0)).isInstanceOf(UnreadableNode.class);
    assertThat(children.get(1)).isInstanceOf(ZarrArray.class);
    assertThatThrownBy(() -> hierarchy.open("a").block()).isInstanceOf(MetadataException.class);
  }

  @Test
  void a_root_without_a_document_is_a_group() {
    put("zarr.json", ENTRY_POINT);
    ZarrGroup root = hierarchy.openGroup("").block();
    assertThat(root.metadata().isImplicit()).isTrue();
    assertThat(root.children().collectList().block()).isEmpty();
  }

  @Test
  void an_array_comes_before_a_group_of_the_same_name() {
    put("zarr.json", ENTRY_POINT);
    put("meta/a.group.json", "{'attributes': {}}");
    put("meta/a.array.json", ARRAY);
    put("meta/a/b.array.json", ARRAY);
    assertThat(hierarchy.open("a").block()).isInstanceOf(ZarrArray.class);
    assertThat(names(hierarchy.openGroup("").block())).containsExactly("/a");
  }

  @ParameterizedTest
  @CsvSource({"c, 5", "c0, 0"})
  void the_chunk_of_an_array_without_dimensions_has_no_number_in_the_document(
      String chunk, int value) {
    put("zarr.json", ENTRY_POINT);
    put("meta/a.array.json", SCALAR.replace("7", "0"));
    put("data/a/" + chunk, new byte[] {5});
    assertThat(scalar()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c0", "c"})
  void the_chunk_of_an_array_without_dimensions_may_have_a_number_in_programs_data(String chunk) {
    put("zarr.json", OLDER_ENTRY_POINT);
    put("meta/root/a.array.json", SCALAR);
    put("data/root/a/" + chunk, new byte[] {5});
    assertThat(scalar()).isEqualTo(5);
  }

  private int scalar() {
    return hierarchy.openArray("a").block().read(Selection.all()).block().getInt();
  }

  @Test
  void another_suffix_and_another_separator_are_kept_to() {
    put("zarr.json", ENTRY_POINT.replace(".json'", ".txt'"));
    put(
        "meta/a.array.txt",
        ARRAY.replace("[4]", "[2, 4]").replace("[2],", "[1, 2],").replace("'/'", "'.'"));
    put("meta/not-a-node.array.json", "{}");
    put("data/a/c1.0", new byte[] {1, 2});
    assertThat(names(hierarchy.openGroup("").block())).containsExactly("/a");
    assertThat(hierarchy.openArray("a").block().read(Selection.all()).block().toShortArray())
        .containsExactly(7, 7, 7, 7, 1, 2, 7, 7);
  }

  @Test
  void a_separator_that_is_not_there_is_a_slash() {
    put("zarr.json", ENTRY_POINT);
    put(
        "meta/a.array.json",
        ARRAY.replace("[4]", "[2, 2]").replace("[2], 'separator': '/'", "[1, 1]"));
    put("data/a/c1/0", new byte[] {1});
    assertThat(hierarchy.openArray("a").block().read(Selection.all()).block().toShortArray())
        .containsExactly(7, 7, 1, 7);
  }

  @Test
  void without_the_option_the_error_names_it() {
    put("zarr.json", OLDER_ENTRY_POINT);
    put("meta/root/a.array.json", ARRAY);
    for (String path : List.of("", "a")) {
      assertThatThrownBy(() -> Zarr.hierarchy(store).open(path).block())
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("2022 draft")
          .hasMessageContaining("withDrafts(Drafts.of(Draft.OF_2022))")
          .hasMessageContaining("--draft 2022")
          .hasMessageContaining("key zarr.json, at /zarr_format");
    }
  }

  @Test
  void every_node_warns_that_it_is_of_a_draft() {
    put("zarr.json", ENTRY_POINT);
    put("meta/a.array.json", ARRAY.replace("'fill_value': 7", "'fill_value': null"));
    assertThat(hierarchy.open("").block().warnings())
        .hasSize(1)
        .first()
        .asString()
        .contains("2022 draft", "can only be read", "zarr.json");
    assertThat(hierarchy.open("a").block().warnings())
        .extracting(MetadataWarning::toString)
        .hasSize(2)
        .element(1)
        .asString()
        .contains("null", "node /a, key meta/a.array.json, at /fill_value");
  }

  @Test
  void nothing_is_written_erased_or_created() {
    put("zarr.json", ENTRY_POINT);
    put("meta/a.array.json", ARRAY);
    put("meta/g/b.array.json", ARRAY);
    List<String> before = keys();
    ZarrArray array = hierarchy.openArray("a").block();
    NdArray data = NdArray.ofBytes(DataTypes.UINT8, Shape.of(4), new byte[4]);
    refused(() -> array.write(Selection.all(), data).block());
    refused(() -> array.updateAttributes(a -> a.with("x", 1)).block());
    refused(() -> hierarchy.createGroup("new").block());
    refused(() -> hierarchy.createGroup("g/new").block());
    refused(() -> hierarchy.openGroup("g").block().updateAttributes(a -> a).block());
    refused(() -> hierarchy.openGroup("g").block().consolidate().block());
    refused(() -> hierarchy.erase("a").block());
    refused(() -> hierarchy.erase("").block());
    assertThat(keys()).isEqualTo(before);
  }

  private static void refused(Runnable change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("2022 draft of Zarr v3 can only be read")
        .hasMessageContaining("create an array of Zarr v3");
  }

  @Test
  void a_store_without_listing_shows_nodes_with_a_document() {
    put("zarr.json", ENTRY_POINT);
    put("meta/a/b.array.json", ARRAY);
    ZarrHierarchy unlisted = Zarr.hierarchy(new Unlisted(store), OPTIONS);
    assertThat(unlisted.openArray("a/b").block().shape()).isEqualTo(Shape.of(4));
    assertThat(unlisted.openGroup("").block().metadata().isImplicit()).isTrue();
    assertThat(unlisted.exists("a").block()).isFalse();
  }

  @Test
  void a_hierarchy_must_be_opened_at_its_root() {
    put("x/zarr.json", ENTRY_POINT);
    put("x/meta/a.array.json", ARRAY);
    assertThatThrownBy(() -> hierarchy.open("x").block())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("must be opened at its root");
    Store inner = Stores.prefixed(store, StorePrefix.of("x/"));
    assertThat(Zarr.hierarchy(inner, OPTIONS).openArray("a").block()).isNotNull();
  }

  @Test
  void other_nodes_cost_no_request_more() {
    put("zarr.json", "{'zarr_format': 3, 'node_type': 'group'}");
    put("a/zarr.json", "{'zarr_format': 3, 'node_type': 'group'}");
    put("old/.zgroup", "{'zarr_format': 2}");
    for (String path : List.of("", "a", "old")) {
      assertThat(requests(path, OPTIONS)).isEqualTo(requests(path, ZarrOptions.defaults()));
    }
  }

  private List<String> requests(String path, ZarrOptions options) {
    List<String> requests = Collections.synchronizedList(new ArrayList<>());
    StoreObserver observer =
        new StoreObserver() {
          @Override
          public void onStart(StoreRequest request) {
            requests.add(request.operation() + " " + request.target());
          }
        };
    Zarr.hierarchy(Stores.observed(store, observer), options).openGroup(path).block();
    return requests.stream().sorted().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /zarr_format='https://purl.org/zarr/spec/core/4.0' | /zarr_format | core/3.0
          /zarr_format='https://purl.org/zarr/spec/other'    | /zarr_format | core/3.0
          -/zarr_format              | ``                 | the member "zarr_format" is missing
          -/metadata_encoding        | ``                 | the member "metadata_encoding" is missing
          -/metadata_encoding/type   | /metadata_encoding | the member "type" is missing
          /metadata_encoding/x=1     | /metadata_encoding/x | unknown member "x"
          /metadata_encoding/metadata_key_suffix=1 | /metadata_encoding/metadata_key_suffix | expected a string
          /metadata_encoding/metadata_key_suffix='/../x' | /metadata_encoding/metadata_key_suffix | the end of a key
          /extensions={}             | /extensions        | expected an array
          /extensions/0={'must_understand': false} | /extensions/0 | the member "extension" is missing
          /more=1                    | /more              | unknown member "more"
          """)
  void an_entry_point_that_breaks_a_rule_is_refused(String edit, String pointer, String message) {
    put("zarr.json", Json.edited(Json.object(ENTRY_POINT), edit).toString());
    assertThatThrownBy(() -> hierarchy.open("").block())
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          /metadata_encoding/type='cbor' | the encoding of documents must be JSON
          /metadata_encoding={'extension': 'http://example.org/x', 'type': 'x', 'metadata_key_suffix': '.x'} | the encoding of documents must be JSON
          /metadata_encoding='http://example.org/x' | the encoding of documents must be JSON
          /extensions/0={'extension': 'http://example.org/x', 'must_understand': true} | the extension "http://example.org/x" is unsupported
          /extensions/0={'extension': 'http://example.org/x'} | the extension "http://example.org/x" is unsupported
          """)
  void an_entry_point_of_an_unknown_extension_is_refused(String edit, String message) {
    put("zarr.json", Json.edited(Json.object(ENTRY_POINT), edit).toString());
    assertThatThrownBy(() -> hierarchy.open("").block())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(message);
  }

  @Test
  void an_extension_that_may_be_ignored_is_ignored_with_a_warning() {
    JsonObject entryPoint =
        Json.edited(
            Json.object(ENTRY_POINT),
            "/extensions/0={'extension': 'http://example.org/x', 'must_understand': false}");
    put("zarr.json", entryPoint.toString());
    assertThat(hierarchy.open("").block().warnings())
        .hasSize(2)
        .element(1)
        .asString()
        .contains("\"http://example.org/x\"", "ignored", "at /extensions/0");
  }

  /** As many stores on the web are. */
  private static final class Unlisted extends DelegatingStore {
    Unlisted(Store store) {
      super(store);
    }

    @Override
    public Set<StoreCapability> capabilities() {
      return Set.of(StoreCapability.READ);
    }

    @Override
    public Flux<ListEntry> listDir(StorePrefix prefix) {
      return Flux.error(new AssertionError("a listing that nobody can give"));
    }
  }

  private static List<String> names(ZarrGroup group) {
    return group.tree().map(node -> node.path().value()).collectList().block();
  }

  private List<String> keys() {
    return store.list().map(StoreKey::value).collectList().block();
  }

  private void put(String key, String json) {
    put(key, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private void put(String key, byte[] value) {
    store.set(StoreKey.of(key), Bytes.wrap(value)).block();
  }
}
