package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.SslBundles;

/** Properties of a service become options of the library and of the store. */
class ZarrPropertiesTest {
  private static final String METADATA = "META-INF/spring-configuration-metadata.json";

  private static ZarrProperties bound(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("zarr", ZarrProperties.class);
  }

  private static StoreOptions options(ZarrProperties properties) {
    ObjectProvider<SslBundles> none =
        new DefaultListableBeanFactory().getBeanProvider(SslBundles.class);
    return StorePlace.of(properties.place(), none).options();
  }

  @Test
  void nothing_said_is_the_defaults_of_the_library() {
    ZarrProperties properties = bound(Map.of());
    ZarrOptions options = properties.options();
    assertThat(options.maxConcurrency()).isEqualTo(ZarrOptions.defaults().maxConcurrency());
    assertThat(options.maxInFlightBytes()).isEqualTo(ZarrOptions.defaults().maxInFlightBytes());
    assertThat(options.consolidatedMetadata()).isTrue();
    assertThat(options(properties)).isEqualTo(StoreOptions.none());
    assertThat(properties.retryAfter()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void every_option_can_be_said() {
    ZarrOptions options =
        bound(
                Map.of(
                    "zarr.max-concurrency", "7",
                    "zarr.max-in-flight", "3MB",
                    "zarr.decoded-chunk-cache", "2MB",
                    "zarr.consolidated-metadata", "false",
                    "zarr.format", "3"))
            .options();
    assertThat(options.maxConcurrency()).isEqualTo(7);
    assertThat(options.maxInFlightBytes()).isEqualTo(3 << 20);
    assertThat(options.decodedChunkCache()).isEqualTo(2 << 20);
    assertThat(options.consolidatedMetadata()).isFalse();
    assertThat(options.zarrFormat()).isEqualTo(3);
  }

  @Test
  void the_most_slices_follow_from_the_bytes_in_flight_unless_they_are_said() {
    assertThat(bound(Map.of("zarr.max-in-flight", "64MB")).slices()).isEqualTo(64);
    assertThat(bound(Map.of("zarr.max-in-flight", "1MB")).slices()).isEqualTo(16);
    assertThat(bound(Map.of("zarr.max-in-flight", "64GB")).slices()).isEqualTo(256);
    assertThat(bound(Map.of("zarr.max-slices", "3")).slices()).isEqualTo(3);
  }

  @Test
  void a_wait_may_be_bounded_or_not() {
    assertThat(bound(Map.of()).options().maxWait()).isEqualTo(Duration.ofSeconds(10));
    assertThat(bound(Map.of("zarr.max-wait", "250ms")).options().maxWait())
        .isEqualTo(Duration.ofMillis(250));
    assertThat(bound(Map.of("zarr.max-wait", "0")).options().maxWait()).isNull();
  }

  @Test
  void options_of_the_store_keep_their_names_and_are_not_shown() {
    ZarrProperties properties =
        bound(Map.of("zarr.location", "s3://b/a", "zarr.store.bearer-token", "s3cret"));
    assertThat(options(properties).text("bearer-token")).isEqualTo("s3cret");
    assertThat(properties).asString().contains("s3://b/a", "bearer-token").doesNotContain("s3cret");
  }

  @Test
  void keys_are_properties_and_are_not_shown() {
    ZarrProperties properties =
        bound(
            Map.of(
                "zarr.credentials.access-key", "id",
                "zarr.credentials.secret-key", "s3cret",
                "zarr.stores.era5.location", "s3://b/era5",
                "zarr.stores.era5.credentials.bearer-token", "s3cret"));
    CredentialSource source = options(properties).part(CredentialSource.class);
    assertThat(source.credential().block().credential())
        .isEqualTo(new Credential.AwsKeys("id", "s3cret", null));
    assertThat(properties.stores().get("era5").credentials().source().credential().block())
        .isEqualTo(ExpiringCredential.lasting(Credential.bearer("s3cret")));
    assertThat(properties).asString().contains("s3://b/era5").doesNotContain("s3cret");
    assertThat(properties.credentials()).asString().doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zarr.credentials.access-key=s3cret",
        "zarr.credentials.session-token=s3cret",
        "zarr.credentials.account-key=s3cret",
        "zarr.credentials.bearer-token=s3cret zarr.credentials.query=s3cret"
      })
  void half_a_key_and_two_kinds_of_keys_are_refused(String given) {
    Map<String, String> properties = new HashMap<>();
    for (String each : given.split(" ")) {
      properties.put(each.split("=")[0], each.split("=")[1]);
    }
    assertThatThrownBy(() -> options(bound(properties)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("access-key with secret-key")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void the_metadata_for_editors_list_every_property() throws Exception {
    byte[] json =
        Files.readAllBytes(
            Path.of("../../integrations/zarr-reactive-webflux/src/main/resources", METADATA));
    JsonObject document =
        JsonDocument.parse(ByteBuffer.wrap(json), dev.zarrreactive.error.Location.UNKNOWN).object();
    List<?> listed = document.list("properties").orElseThrow();
    TreeSet<String> names = new TreeSet<>();
    for (Object property : listed) {
      names.add(String.valueOf(((Map<?, ?>) property).get("name")));
    }
    assertThat(names.removeIf(name -> name.startsWith("management."))).isTrue();
    TreeSet<String> declared = names("zarr.", ZarrProperties.class);
    declared.addAll(names("zarr.links.", ZarrLinkProperties.class));
    assertThat(names).isEqualTo(declared);
  }

  /** Returns the names of the properties of a record; those of a map end with its name. */
  private static TreeSet<String> names(String prefix, Class<?> properties) {
    TreeSet<String> names = new TreeSet<>();
    for (RecordComponent each : properties.getRecordComponents()) {
      String name =
          prefix + each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
      if (each.getType().isRecord()) {
        names.addAll(names(name + ".", each.getType()));
      } else {
        names.add(name);
      }
    }
    return names;
  }
}
