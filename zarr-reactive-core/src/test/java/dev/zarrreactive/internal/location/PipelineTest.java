package dev.zarrreactive.internal.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Pipelines of URLs: their grammar, and what their segments open. */
class PipelineTest {
  @TempDir Path directory;

  @Test
  void segments_are_a_scheme_a_body_and_a_query() {
    Pipeline pipeline =
        Pipeline.parse(
            "s3://bucket/repo | icechunk://branch.main/em%20x/RAW?as-of=2026 |zarr3:/a/b/");
    assertThat(pipeline.root()).isEqualTo("s3://bucket/repo");
    assertThat(pipeline.adapters())
        .containsExactly(new Segment("icechunk", "//branch.main/em%20x/RAW", "as-of=2026"));
    assertThat(pipeline.format()).isEqualTo(3);
    assertThat(pipeline.node()).isEqualTo("a/b");
  }

  @Test
  void the_colon_of_a_segment_without_a_path_may_be_missing() {
    assertThat(Pipeline.parse("a|zip|zarr2").adapters())
        .containsExactly(new Segment("zip", "", null));
    assertThat(Pipeline.parse("a|ZIP:X").adapters()).containsExactly(new Segment("zip", "X", null));
    assertThat(Pipeline.parse("a|zarr2").format()).isEqualTo(2);
  }

  @Test
  void a_location_without_a_bar_is_a_pipeline_without_segments() {
    assertThat(Pipeline.parse(" a b")).isEqualTo(new Pipeline(" a b", List.of(), null, ""));
    assertThat(Pipeline.isOne("s3://bucket/a%7Cb")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"|zip:", "a||zip:", "a|", "a|/b", "a|b c:", "a|zarr3:x|zip:"})
  void what_is_no_pipeline_is_refused(String text) {
    assertThatThrownBy(() -> Pipeline.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_path_of_a_body_is_decoded_once() {
    assertThat(new Segment("zip", "/a%20b+c%2520/", null).path()).isEqualTo("a b+c%20");
  }

  @Test
  void a_query_is_not_shown() {
    assertThat(new Segment("zip", "a", "token=secret")).hasToString("zip:a?...");
    assertThat(
            new UrlPlace(URI.create("https://me:secret@host/a?token=secret"), StoreOptions.none()))
        .hasToString("https://host/a");
  }

  @Test
  void a_path_in_an_archive_is_opened() {
    Path file = archive("deep/er/x y");
    String zip = file + "|zip:deep/er";
    assertThat(open(zip + "/x%20y").shape()).isEqualTo(Shape.of(3));
    assertThat(open(zip + "|zarr3:x%20y").path().isRoot()).isTrue();
    assertThat(open(file + "|zip:|zarr3:deep/er/x%20y").shape()).isEqualTo(Shape.of(3));
    assertThat(Zarr.at(zip + "/x%20y").exists().block()).isTrue();
    assertThat(Zarr.at(zip + "/z").exists().block()).isFalse();
    assertThatThrownBy(() -> open(zip + "/x%20y|zarr2:")).isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void an_archive_in_an_archive_is_opened() throws Exception {
    Bytes inner = Bytes.wrap(Files.readAllBytes(archive("x")));
    Path file = directory.resolve("outer.zip");
    Mono.usingWhen(
            Mono.fromSupplier(() -> ZipStore.create(file)),
            zip -> zip.set(StoreKey.of("a/inner.zip"), inner),
            NewZipStore::close)
        .block();
    assertThat(open(file.toUri() + "|zip:a/inner.zip|zip:x").shape()).isEqualTo(Shape.of(3));
  }

  @Test
  void a_place_without_versions_is_pinned_as_it_is() {
    for (String location : List.of("s3://b/a", "memory:x", "none.zip", "b/none.zip|ZIP:x| zarr2")) {
      StoreOptions options = StoreOptions.none().with("region", "eu-west-1");
      ZarrLocation pinned = Zarr.at(location).withStoreOptions(options).pin().block();
      assertThat(pinned).isNotNull().hasToString(location);
      assertThat(pinned.storeOptions()).isEqualTo(options);
    }
  }

  @Test
  void an_archive_in_an_archive_is_pinned_and_what_is_missing_is_told() {
    Path file = archive("x");
    assertThatThrownBy(() -> Zarr.at(file + "|zip:none.zip|zip:|zip:").pin().block())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("none.zip");
  }

  @Test
  void a_format_alone_needs_no_adapter() {
    Store store = MemoryStore.named("of_a_format");
    Zarr.hierarchy(store)
        .createArray("x", ArrayMetadata.v3(Shape.of(3), DataTypes.INT8).build())
        .block();
    assertThat(open("memory:of_a_format|zarr3:x").shape()).isEqualTo(Shape.of(3));
    assertThatThrownBy(() -> open("memory:of_a_format|zarr2:x"))
        .isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void adapters_of_other_programs_are_refused_by_name() {
    assertThatThrownBy(() -> open("memory:a|n5:x"))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("nothing opens |n5:")
        .hasMessageContaining("zarr3, zip");
  }

  @Test
  void a_missing_archive_and_a_missing_name_are_told() {
    assertThatThrownBy(() -> open(directory.resolve("none.zip") + "|zip:x"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("none.zip");
    assertThatThrownBy(() -> open(archive("x") + "|zip:|zip:"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names no file");
  }

  private static ZarrArray open(String location) {
    return Zarr.at(location).openArray().block();
  }

  /** Writes an archive with an array of three elements. */
  private Path archive(String path) {
    Store source = MemoryStore.create();
    ArrayMetadata array = ArrayMetadata.v3(Shape.of(3), DataTypes.INT8).build();
    Zarr.hierarchy(source).createArray(path, array).block();
    Path file = directory.resolve("a.zip");
    Mono.usingWhen(
            Mono.fromSupplier(() -> ZipStore.create(file)),
            zip ->
                source
                    .list()
                    .concatMap(key -> source.get(key).flatMap(v -> zip.set(key, v)))
                    .then(),
            NewZipStore::close)
        .block();
    return file;
  }
}
