package dev.zarrreactive.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.testing.Waiting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Descriptions that are sent to other machines have no secret, and open the same store there. */
class StoreDescriptionTest {
  @Test
  void a_description_and_a_split_are_sent_as_they_are() throws Exception {
    StoreDescription store = new StoreDescription("s3://b/p", Map.of("region", "eu-west-1"));
    assertThat(sent(store)).isEqualTo(store);
    IndexBox box = new IndexBox(List.of(IndexRanges.of(1, 4), IndexRanges.of(0, 9)));
    assertThat(sent(box)).isEqualTo(box);
    assertThat(store.storeOptions().get("region")).isEqualTo("eu-west-1");
  }

  @Test
  void a_store_is_opened() {
    var hierarchy =
        Waiting.await(
            new StoreDescription("memory:described", Map.of()).open(ZarrOptions.defaults()));
    assertThat(hierarchy).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret-key", "Password", "sessionToken", "access-key"})
  void secrets_are_refused(String name) {
    assertThatThrownBy(() -> new StoreDescription("s3://b/p", Map.of(name, "hidden")))
        .hasMessageContaining("the option " + name + " is a secret")
        .hasMessageNotContaining("hidden");
    assertThatThrownBy(() -> new StoreDescription("https://me:hidden@host/p", Map.of()))
        .hasMessageContaining("a user or a password")
        .hasMessageNotContaining("hidden");
    assertThatThrownBy(() -> new StoreDescription("https://me:hid den@host/p", Map.of()))
        .hasMessageContaining("a user or a password");
  }

  @Test
  void the_name_of_a_source_of_credentials_is_no_secret_and_its_secrets_are() {
    Map<String, String> named =
        Map.of("credentials", "file", "credentials.path", "/run/s", "credentials.token-file", "/t");
    assertThat(new StoreDescription("s3://b/p", named).options()).isEqualTo(named);
    Map<String, String> container =
        Map.of("virtual:s3://a/", "credentials=earthdata;credentials.region=any;region=x");
    assertThat(new StoreDescription("s3://b/p", container).options()).isEqualTo(container);
    for (Map<String, String> secret :
        List.of(
            Map.of("credentials.token", "hidden"),
            Map.of("credentials.secret-key", "hidden"),
            Map.of("my-credentials", "hidden"),
            Map.of("virtual:s3://a/", "credentials=file;credentials.password=hidden"),
            Map.of("virtual:s3://a/", "credentials=file;bearer-token=hidden"))) {
      assertThatThrownBy(() -> new StoreDescription("s3://b/p", secret))
          .hasMessageContaining("is a secret")
          .hasMessageNotContaining("hidden");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://host/p?sig=hidden",
        "https://host/p?a=b&X-Amz-Signature=hidden|icechunk:",
        "https://host/p?api_key=1&token=hidden"
      })
  void signed_urls_are_refused(String location) {
    assertThatThrownBy(() -> new StoreDescription(location, Map.of()))
        .hasMessageContaining("a signature or a key in its query")
        .hasMessageNotContaining("hidden");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://host/p?version=3",
        "abfss://box@account.dfs.core.windows.net/era5.zarr",
        "/a/what?sig=no_url",
        "s3://b/r|icechunk://branch.a@b/p",
        "s3://b/r|icechunk://branch.main?as-of=2026-01-31T00:00:00Z"
      })
  void locations_without_a_secret_are_taken(String location) {
    assertThat(new StoreDescription(location, Map.of()).location()).isEqualTo(location);
  }

  @Test
  void a_store_without_versions_is_described_as_it_is() {
    StoreDescription store = new StoreDescription("memory:plain", Map.of("region", "eu-west-1"));
    assertThat(Waiting.await(store.pin())).isEqualTo(store);
    StoreDescription archive = new StoreDescription("x.json|kerchunk:", Map.of("base", "s3://b/"));
    StoreDescription pinned = Waiting.await(archive.pin());
    assertThat(pinned.location()).isEqualTo(archive.location());
    assertThat(pinned.options()).isEqualTo(archive.options());
    assertThat(Waiting.await(archive.pin()))
        .as("each driver has seen a state of its own")
        .isNotEqualTo(pinned);
  }

  private static Object sent(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
