package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

/** The format by itself: this module has no translator of drafts on its path. */
class MissingDraftsTest {
  private static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";

  private static NodeMetadata read(String document, Drafts drafts) {
    return NodeMetadata.parse(
        Bytes.utf8(document), NodePath.ROOT, drafts, MetadataLimits.defaults());
  }

  @Test
  void the_error_names_the_module_that_reads_drafts() {
    assertThatThrownBy(() -> read(GROUP, Drafts.of(Draft.OF_2023)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("zarr-reactive-drafts");
  }

  @Test
  void documents_of_zarr_v3_are_read_and_those_of_drafts_are_refused() {
    assertThat(read(GROUP, Drafts.none()).draft()).isNull();
    assertThatThrownBy(
            () -> read("{\"zarr_format\":\"https://purl.org/zarr/spec/core/3.0\"}", Drafts.none()))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("expected the integer 3");
  }
}
