package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands in a metadata document stays in it, as it is spelled. */
class MetadataRoundTripTest {

  /**
   * A document that another implementation wrote.
   *
   * @param bytes its text, UTF-8
   */
  record Document(Fixture fixture, NodePath path, Bytes bytes, NodeMetadata metadata) {
    @Override
    public String toString() {
      return fixture + path.value();
    }
  }

  /** Every document of v3 whose data type is known here. */
  static Stream<Document> documents() {
    return Fixtures.good().stream()
        .filter(fixture -> fixture.isVersion3() && fixture.isDirectory())
        .flatMap(MetadataRoundTripTest::documents);
  }

  private static Stream<Document> documents(Fixture fixture) {
    List<Document> documents = new ArrayList<>();
    for (String key : fixture.keys()) {
      if (key.equals("zarr.json") || key.endsWith("/zarr.json")) {
        NodePath path =
            NodePath.of(key.substring(0, Math.max(0, key.length() - "/zarr.json".length())));
        Bytes bytes = Bytes.wrap(fixture.value(key));
        try {
          documents.add(new Document(fixture, path, bytes, NodeMetadata.parse(bytes, path)));
        } catch (UnknownExtensionException | UnsupportedFeatureException e) {
          // InteropTest knows whether it may be unknown
        }
      }
    }
    return documents.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void a_document_that_is_read_and_written_is_token_by_token_the_same(Document document)
      throws IOException {
    for (String written :
        List.of(
            document.metadata().document().toString(),
            document.metadata().document().toPrettyString())) {
      assertThat(tokens(Bytes.utf8(written))).isEqualTo(tokens(document.bytes()));
      assertThat(NodeMetadata.parse(Bytes.utf8(written), document.path()).document())
          .isEqualTo(document.metadata().document());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void a_change_of_the_attributes_changes_nothing_else(Document document) throws IOException {
    JsonObject attributes = document.metadata().attributes().with("seen", "π").without("a");
    JsonObject changed = document.metadata().withAttributes(attributes).document();

    assertThat(changed.get("attributes")).isEqualTo(attributes);
    assertThat(tokens(Bytes.utf8(changed.without("attributes").toString())))
        .isEqualTo(
            tokens(Bytes.utf8(document.metadata().document().without("attributes").toString())));
  }

  @Test
  void there_are_documents_of_every_kind() {
    List<NodeMetadata> all = documents().map(Document::metadata).toList();
    assertThat(all).hasSizeGreaterThan(500);
    assertThat(all.stream().filter(ArrayMetadata.class::isInstance)).hasSizeGreaterThan(500);
    assertThat(all.stream().filter(node -> !(node instanceof ArrayMetadata)))
        .hasSizeGreaterThan(20);
  }

  @Test
  void updating_the_attributes_of_a_stored_node_changes_nothing_else() throws IOException {
    List<String> changed = new ArrayList<>();
    for (Fixture fixture : Fixtures.good()) {
      if (fixture.isVersion3()
          && List.of("metadata/", "attributes", "group/nested", "dimension").stream()
              .anyMatch(fixture.group()::startsWith)) {
        Store store = fixture.inMemory();
        ZarrNode node = Zarr.hierarchy(store).open("").block();
        node.updateAttributes(old -> old.with("seen", 1).without("title")).block();

        Bytes stored = store.get(StoreKey.of("zarr.json")).block();
        NodeMetadata now = NodeMetadata.parse(stored, NodePath.ROOT);
        assertThat(now.attributes()).isEqualTo(node.attributes().with("seen", 1).without("title"));
        assertThat(now.document().without("attributes").toString())
            .isEqualTo(node.metadata().document().without("attributes").toString());
        assertThat(Zarr.hierarchy(store).open("").block().attributes()).isEqualTo(now.attributes());
        changed.add(fixture.name());
      }
    }
    assertThat(changed).hasSizeGreaterThan(20);
  }

  @Test
  void unknown_members_and_spellings_of_numbers_survive_an_update() {
    String text =
        """
        {"zarr_format":3,"node_type":"array","later":{"must_understand":false,"z":1.50,"a":[]},
         "fill_value":1e2,"shape":[4],"data_type":"float64",
         "chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2]}},
         "chunk_key_encoding":"default","codecs":[{"name":"bytes","configuration":{"endian":"little"}}],
         "attributes":{"z":123456789012345678901234567890,"y":1.0,"x":-0.0,"w":1E-7}}
        """;
    NodeMetadata metadata = NodeMetadata.parse(Bytes.utf8(text), NodePath.ROOT);
    NodeMetadata changed =
        metadata.withAttributes(metadata.attributes().with("y", "new").with("v", 2));
    assertThat(changed.document().toString())
        .isEqualTo(
            text.replaceAll("\\n *", "")
                .replace("\"y\":1.0", "\"y\":\"new\"")
                .replace("1E-7}", "1E-7,\"v\":2}"));
  }

  /** The document as another parser sees it: order and spelling count, white space does not. */
  private static List<String> tokens(Bytes document) throws IOException {
    String text = new String(document.toByteArray(), StandardCharsets.UTF_8);
    List<String> tokens = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        tokens.add(token + " " + parser.getText());
      }
    }
    return tokens;
  }
}
