package dev.zarrreactive.cli.location;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationTextTest {
  @ParameterizedTest
  @CsvSource({
    "https://host/a.zarr/b/c, https://host/a.zarr/b/lat",
    "https://host/a.zarr/b/c/, https://host/a.zarr/b/lat",
    "https://host:8080/c?sig=x, https://host:8080/lat?sig=x",
    "s3://bucket/a/c, s3://bucket/a/lat",
    "/data/a.zarr/c, /data/a.zarr/lat",
    "/data/a.zip/b/c/, /data/a.zip/b/lat",
    "/data/a.zarr/c/., /data/a.zarr/lat"
  })
  void a_sibling_is_another_node_of_the_group(String text, String sibling) {
    String found = LocationText.sibling(text, "lat");
    assertThat(LocationText.isLocal(text) ? Path.of(found) : found)
        .isEqualTo(LocationText.isLocal(text) ? Path.of(sibling).toAbsolutePath() : sibling);
  }

  @Test
  void a_bucket_of_google_has_a_scheme_of_its_own() {
    assertThat(LocationText.url("gs://bucket/a/b.zarr")).hasToString("gs://bucket/a/b.zarr");
    assertThat(LocationText.scheme("GS://bucket/a")).isEqualTo("gs");
    assertThat(LocationText.shown("gs://bucket/a")).isEqualTo("gs://bucket/a");
  }

  @ParameterizedTest
  @CsvSource({
    "some/where/earth.zarr/, earth.zarr",
    "/data/../earth.zarr, earth.zarr",
    "s3://bucket/a/b.zarr?sig=s3cret, b.zarr",
    "https://example.org/earth.zarr/, earth.zarr",
    "https://example.org/, example.org",
    "gs://bucket, bucket",
    "file:///data/a.zip|zip:in/side, a.zip"
  })
  void a_store_is_known_by_the_last_name_of_its_place(String location, String name) {
    assertThat(LocationText.title(location)).isEqualTo(name);
  }
}
