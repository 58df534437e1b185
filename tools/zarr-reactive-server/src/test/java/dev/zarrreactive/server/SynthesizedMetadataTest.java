package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.Store;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Consolidated metadata that the server makes. */
class SynthesizedMetadataTest {
  private Serving serving = new Serving(server -> server.consolidated(true));

  @AfterEach
  void stop() {
    serving.close();
  }

  private void create(int format) {
    ZarrHierarchy zarr = Zarr.hierarchy(serving.values);
    await(zarr.createGroup("/", GroupMetadata.of(format, JsonObject.EMPTY.with("title", "t"))));
    await(zarr.createGroup("g", GroupMetadata.of(format, JsonObject.EMPTY)));
    await(
        zarr.createArray(
            "g/a",
            ArrayMetadata.v3(Shape.of(4), DataTypes.INT32)
                .uncompressed()
                .zarrFormat(format)
                .build()));
  }

  private List<String> paths() {
    Store store = HttpStore.open(serving.server.uri());
    try {
      ZarrGroup root = Objects.requireNonNull(await(Zarr.hierarchy(store).openGroup("/")));
      return await(root.tree()).stream().map(node -> node.path().value()).toList();
    } finally {
      await(store.close());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_tree_is_read_over_http_though_nothing_was_consolidated(int format) {
    create(format);
    assertThat(paths()).containsExactlyInAnyOrder("/g", "/g/a");
    String key = format == 3 ? "/zarr.json" : "/.zmetadata";
    String tag = serving.get(key).headers().firstValue("etag").orElseThrow();
    assertThat(serving.get(key, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(serving.send("HEAD", key).headers().firstValue("etag")).hasValue(tag);
    assertThat(serving.get(key, "Range", "bytes=0-0").body()).isEqualTo(new byte[] {'{'});
  }

  @Test
  void a_tree_that_is_too_large_leaves_the_stored_document() {
    serving.close();
    serving =
        new Serving(
            server ->
                server.consolidated(true).limits(ServerLimits.defaults().withDocuments(1, 9999)));
    create(3);
    assertThat(
            new String(serving.get("/zarr.json").body(), java.nio.charset.StandardCharsets.UTF_8))
        .doesNotContain("consolidated_metadata");
  }

  @Test
  void other_values_are_served_as_they_are() {
    assertThat(serving.get("/zarr.json").statusCode()).isEqualTo(404);
    create(3);
    assertThat(serving.get("/.zmetadata").statusCode()).isEqualTo(404);
    assertThat(serving.get("/g/zarr.json").body())
        .isEqualTo(
            Objects.requireNonNull(
                    serving.values.get(dev.zarrreactive.base.StoreKey.of("g/zarr.json")).block())
                .toByteArray());
  }
}
