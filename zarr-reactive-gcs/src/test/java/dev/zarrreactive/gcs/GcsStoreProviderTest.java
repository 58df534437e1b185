package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets that a URL opens. */
@ExtendWith(NoLeaks.class)
class GcsStoreProviderTest {
  private final XmlApiServer google = XmlApiServer.shared();
  private final String bucket = google.newBucket();

  private StoreOptions options() {
    return StoreOptions.none().with("endpoint", google.uri().toString());
  }

  @Test
  void a_url_opens_a_bucket_or_a_prefix_of_it() {
    google.put(bucket, "a b/c/0", new byte[] {1});
    StoreOptions options =
        options()
            .with("stall-timeout", "PT10S")
            .with("connect-timeout", "PT5S")
            .with("idle-timeout", "PT5S")
            .with("connections", "4")
            .with("resumes", "1")
            .with("part-size", "262144")
            .with("http2", "false")
            .with("user-project", "mine")
            .with("forbidden-is-missing", "false")
            .with("anonymous", "true");
    for (String location : new String[] {"gs://" + bucket, "gs://" + bucket + "/a%20b/c/"}) {
      Store store = await(Stores.open(location, options));
      String key = location.endsWith("c/") ? "0" : "a b/c/0";
      assertThat(await(store.get(StoreKey.of(key)))).isNotNull();
      assertThat(store.toString()).contains("Retrying").contains("gs://" + bucket);
      await(store.close());
    }
    Store plain = await(Stores.open("gs://" + bucket, options.with("retry", "false")));
    assertThat(plain.toString()).contains("GcsStore").doesNotContain("Retrying");
    await(plain.close());
  }

  @Test
  void stores_of_equal_options_share_connections_until_the_last_of_them_is_closed() {
    google.put(bucket, "a/0", new byte[] {1});
    int others = GcsStoreBuilder.sharedServers();
    StoreOptions options = options().with("resumes", "2");
    Store first = await(Stores.open("gs://" + bucket, options));
    Store second = await(Stores.open("gs://" + bucket + "/a", options));
    assertThat(GcsStoreBuilder.sharedServers()).isEqualTo(others + 1);
    await(first.close());
    await(first.close()); // counts once
    assertThat(await(second.get(StoreKey.of("0")))).isNotNull();
    assertThat(errorOf(first.get(StoreKey.of("a/0")))).hasMessageContaining("the store was closed");
    await(second.close());
    assertThat(GcsStoreBuilder.sharedServers()).isEqualTo(others);
  }

  @Test
  void a_named_source_gives_the_credentials() {
    StoreOptions options =
        options().with("credentials", "google-file").with("credentials.file", "/no/such/key.json");
    Store store = await(Stores.open("gs://" + bucket, options.with("retry", "false")));
    assertThat(errorOf(store.get(StoreKey.of("a"))))
        .hasMessageContaining("no credential from the file of a Google account")
        .hasMessageContaining("the file /no/such/key.json");
    await(store.close());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gs://user:s3cret@bucket/a",
        "gs://bucket:9000/a",
        "gs://bucket/a?X-Goog-Signature=s3cret",
        "gs://bucket/a#s3cret",
        "gs:///a"
      })
  void a_url_that_cannot_be_is_an_error_that_shows_no_secret(String location) {
    assertThat(errorOf(Stores.open(location)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "secret-key, x, the options are endpoint",
    "anonymous, maybe, true or false",
    "connections, many, a number",
    "part-size, 1000, a multiple of 262144",
    "stall-timeout, 30, PT30S",
    "endpoint, ftp://host, http or https"
  })
  void an_unknown_option_is_an_error_that_lists_the_options(
      String name, String value, String said) {
    StoreOptions options = StoreOptions.none().with(name, value);
    assertThat(errorOf(Stores.open("gs://bucket/a", options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(said)
        .hasMessageContaining(
            Map.of("endpoint", "scheme", "part-size", "part").getOrDefault(name, name));
  }
}
