package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Opening by a URL. */
@ExtendWith(NoLeaks.class)
class S3StoreProviderTest {
  @Test
  void a_url_opens_a_bucket_or_a_prefix_of_it() {
    System.setProperty("aws.accessKeyId", S3ProxyServer.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3ProxyServer.SECRET_KEY);
    try (OneValue one = new OneValue(10)) {
      StoreOptions options =
          StoreOptions.none()
              .with("endpoint", one.server.uri().toString())
              .with("stall-timeout", "PT10S")
              .with("connect-timeout", "PT5S")
              .with("connections", "4")
              .with("resumes", "1")
              .with("path-style", "true")
              .with("requester-pays", "true")
              .with("checksums", "when-required")
              .with("unquoted-etags", "false")
              .with("unsigned-payload", "true")
              .with("forbidden-is-missing", "false")
              .with("anonymous", "false")
              .with("region", "us-east-1");
      for (String location : new String[] {"s3://" + one.bucket, "s3://" + one.bucket + "/a/c/"}) {
        Store store = await(Stores.open(location, options));
        String key = location.endsWith("c/") ? "0" : KEY.value();
        assertThat(await(store.get(dev.zarrreactive.base.StoreKey.of(key)))).isEqualTo(one.value);
        assertThat(store.toString()).contains("Retrying").contains(location);
        await(store.close());
      }
      Store plain = await(Stores.open("s3://" + one.bucket, options.with("retry", "false")));
      assertThat(plain.toString()).contains("S3Store").doesNotContain("Retrying");
      await(plain.close());
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }

  @Test
  void stores_of_equal_options_share_a_client_until_the_last_of_them_is_closed() {
    System.setProperty("aws.accessKeyId", S3ProxyServer.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", S3ProxyServer.SECRET_KEY);
    int others = S3StoreBuilder.sharedClients();
    try (OneValue one = new OneValue(10)) {
      StoreOptions options =
          StoreOptions.none().with("endpoint", one.server.uri().toString()).with("resumes", "2");
      String url = "s3://" + one.bucket;
      Store first = await(Stores.open(url, options));
      Store second = await(Stores.open(url + "/a/c", options));
      assertThat(S3StoreBuilder.sharedClients()).isEqualTo(others + 1);
      await(first.close());
      await(first.close()); // counts once
      assertThat(await(second.get(dev.zarrreactive.base.StoreKey.of("0")))).isEqualTo(one.value);
      assertThat(errorOf(first.get(KEY))).hasMessageContaining("the store was closed");
      assertThat(one.server.requests())
          .isNotEmpty()
          .allSatisfy(asked -> assertThat(asked.header("user-agent")).startsWith("zarr-reactive/"));
      await(second.close());
      assertThat(S3StoreBuilder.sharedClients()).isEqualTo(others);
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://user:s3cret@bucket/a",
        "s3://bucket:9000/a",
        "s3://bucket/a?X-Amz-Signature=s3cret",
        "s3://bucket/a#s3cret",
        "s3:///a"
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
    "checksums, never, when-required",
    "connections, many, a number",
    "stall-timeout, 30, PT30S",
    "endpoint, ftp://host, an endpoint is"
  })
  void an_unknown_option_is_an_error_that_lists_the_options(
      String name, String value, String said) {
    StoreOptions options = StoreOptions.none().with(name, value);
    assertThat(errorOf(Stores.open("s3://bucket/a", options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(said)
        .hasMessageContaining(Map.of("endpoint", "an endpoint").getOrDefault(name, name));
  }
}
