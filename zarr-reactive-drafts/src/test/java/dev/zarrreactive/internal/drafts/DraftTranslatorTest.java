package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.EntryPoint;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.MetadataWarning;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import org.junit.jupiter.api.Test;

/** The drafts as the format meets them, which knows no class of this module. */
class DraftTranslatorTest {
  private static final NodePath PATH = NodePath.of("g/a");

  private static final String OF_2023 =
      "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[2],\"data_type\":\"int16\","
          + "\"chunk_grid\":{\"type\":\"regular\",\"configuration\":{\"chunk_shape\":[2]}},"
          + "\"chunk_key_encoding\":{\"name\":\"default\"},\"fill_value\":0,"
          + "\"codecs\":[{\"name\":\"gzip\",\"configuration\":{\"level\":1}}]}";

  private static final String ENTRY_POINT =
      "{\"zarr_format\":\"https://purl.org/zarr/spec/protocol/core/3.0\","
          + "\"metadata_encoding\":\"https://purl.org/zarr/spec/protocol/core/3.0\","
          + "\"metadata_key_suffix\":\".json\",\"extensions\":[]}";

  private static NodeMetadata read(String document, NodePath path, Drafts drafts) {
    return NodeMetadata.parse(Bytes.utf8(document), path, drafts, MetadataLimits.defaults());
  }

  @Test
  void a_document_of_2023_is_read_in_the_forms_of_zarr_v3_with_a_warning_for_each() {
    NodeMetadata array = read(OF_2023, PATH, Drafts.of(Draft.OF_2023));
    assertThat(array.draft()).isEqualTo(Draft.OF_2023);
    assertThat(((ArrayMetadata) array).codecs())
        .hasSize(2)
        .first()
        .hasToString("{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}");
    assertThat(array.warnings())
        .extracting(MetadataWarning::toString)
        .hasSize(2)
        .anyMatch(warning -> warning.contains("\"type\""))
        .anyMatch(warning -> warning.contains("array→bytes"));
  }

  @Test
  void without_consent_the_error_names_the_option() {
    assertThatThrownBy(() -> read(OF_2023, PATH, Drafts.none()))
        .hasMessageContaining("Drafts.of(Draft.OF_2023)");
    assertThatThrownBy(() -> read(ENTRY_POINT, NodePath.ROOT, Drafts.none()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("Drafts.of(Draft.OF_2022)");
  }

  @Test
  void an_entry_point_of_2022_says_where_nodes_and_chunks_are() {
    NodeMetadata root = read(ENTRY_POINT, NodePath.ROOT, Drafts.of(Draft.OF_2022));
    EntryPoint entryPoint = root.entryPoint();
    assertThat(entryPoint).isNotNull();
    assertThat(entryPoint.arrayDocument(PATH).value()).isEqualTo("meta/root/g/a.array.json");
    assertThat(entryPoint.groupDocument(NodePath.ROOT).value()).isEqualTo("meta/root.group.json");
    ArrayMetadata array =
        entryPoint.array(
            Bytes.utf8(
                "{\"shape\":[4],\"data_type\":\"<i2\",\"chunk_memory_layout\":\"C\","
                    + "\"fill_value\":0,\"chunk_grid\":{\"type\":\"regular\","
                    + "\"chunk_shape\":[2],\"separator\":\"/\"},\"attributes\":{}}"),
            PATH,
            false);
    assertThat(array.chunkKey(PATH, "1").value()).isEqualTo("data/root/g/a/c1");
    assertThat(array.chunkPrefix(PATH).value()).isEqualTo("data/root/g/a/");
  }

  @Test
  void the_codec_of_an_index_is_found_by_its_service() {
    assertThat(CodecRegistry.standard().names()).contains("draft.index_checksum");
  }
}
