package dev.zarrreactive.spark.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.spark.TestSpark;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locations and settings of Hadoop are understood, or refused by their names. */
class HadoopPlacesTest {
  @Test
  void settings_of_hadoop_are_options_of_the_store() {
    Map<String, String> settings =
        Map.of(
            "fs.s3a.endpoint", "minio:9000",
            "fs.s3a.connection.ssl.enabled", "false",
            "fs.s3a.endpoint.region", "eu-west-1",
            "fs.s3a.bucket.open.endpoint.region", "us-west-2",
            "fs.s3a.bucket.open.aws.credentials.provider",
                "org.apache.hadoop.fs.s3a.AnonymousAWSCredentialsProvider",
            "fs.s3a.path.style.access", "true");
    assertThat(HadoopPlaces.settings("://closed/a", Map.of(), settings::get))
        .isEqualTo(
            Map.of("endpoint", "http://minio:9000", "region", "eu-west-1", "path-style", "true"));
    assertThat(HadoopPlaces.settings("://open/a", Map.of("endpoint", "https://x"), settings::get))
        .isEqualTo(
            Map.of(
                "endpoint", "https://x",
                "region", "us-west-2",
                "path-style", "true",
                "anonymous", "true"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"access.key", "secret.key", "session.token"})
  void keys_of_hadoop_are_refused_by_name_and_never_shown(String key) {
    Map<String, String> settings = Map.of("fs.s3a." + key, "hidden");
    assertThatThrownBy(() -> HadoopPlaces.settings("://b/a", Map.of(), settings::get))
        .hasMessageContaining("fs.s3a." + key)
        .hasMessageContaining("s3a://b")
        .hasMessageContaining("AWS_ACCESS_KEY_ID")
        .hasMessageNotContaining("hidden");
    Map<String, String> named = Map.of("profile", "team");
    assertThat(HadoopPlaces.settings("://b/a", named, settings::get)).isEqualTo(named);
  }

  @Test
  void the_scheme_of_hadoop_is_that_of_s3_with_the_settings_of_the_session() {
    Configuration hadoop = TestSpark.session().sparkContext().hadoopConfiguration();
    hadoop.set("fs.s3a.bucket.places.endpoint", "http://127.0.0.1:1");
    try {
      var store = HadoopPlaces.describe("s3a://places/a.zarr", Map.of("region", "r"));
      assertThat(store.location()).isEqualTo("s3://places/a.zarr");
      assertThat(store.options()).containsEntry("endpoint", "http://127.0.0.1:1");
      assertThat(HadoopPlaces.describe("s3://places/a.zarr", Map.of()).options()).isEmpty();
    } finally {
      hadoop.unset("fs.s3a.bucket.places.endpoint");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hdfs://name/a", "wasbs://c@a.blob.core.windows.net/a", "dbfs:/a"})
  void file_systems_of_hadoop_without_a_store_are_refused_by_name(String location) {
    assertThatThrownBy(() -> HadoopPlaces.describe(location, Map.of()))
        .hasMessageContaining("no store for " + location.substring(0, location.indexOf(':')))
        .hasMessageContaining(location)
        .hasMessageContaining("abfss://");
  }
}
