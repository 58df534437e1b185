package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers that a URL opens. */
@ExtendWith(NoLeaks.class)
class AzureStoreProviderTest {
  @Test
  void a_url_opens_a_container_or_a_prefix_of_it() {
    Azurite azure = Azurite.shared();
    String container = azure.newContainer();
    azure.put(container, "a b/c/0", new byte[] {1});
    StoreOptions options =
        StoreOptions.none()
            .with("account", ConnectionString.EMULATED)
            .with("endpoint", azure.uri().toString())
            .with("account-key", ConnectionString.EMULATED_KEY)
            .with("stall-timeout", "PT10S")
            .with("connect-timeout", "PT5S")
            .with("idle-timeout", "PT5S")
            .with("connections", "4")
            .with("resumes", "1")
            .with("part-size", "65536")
            .with("forbidden-is-missing", "false");
    int others = AzureStoreBuilder.sharedServers();
    Store all = await(Stores.open("az://" + container, options));
    Store below = await(Stores.open("az://" + container + "/a%20b/c/", options));
    assertThat(AzureStoreBuilder.sharedServers()).isEqualTo(others + 1);
    assertThat(await(all.get(StoreKey.of("a b/c/0")))).isNotNull();
    assertThat(await(below.get(StoreKey.of("0")))).isNotNull();
    assertThat(all.toString()).contains("Retrying").contains("az://" + container);
    assertThat(all.toString()).doesNotContain(ConnectionString.EMULATED_KEY);
    await(all.close());
    await(below.close());
    assertThat(AzureStoreBuilder.sharedServers()).isEqualTo(others);
    Store connected =
        await(
            Stores.open(
                "az://" + container,
                StoreOptions.none().with("connection-string", azure.connectionString())));
    assertThat(await(connected.get(StoreKey.of("a b/c/0")))).isNotNull();
    await(connected.close());
  }

  @ParameterizedTest
  @CsvSource({
    "abfss://data@account.dfs.core.windows.net/a/b, az://data@account/a/b/",
    "abfs://data@account.dfs.core.windows.net, az://data@account/",
    "az://data@account.blob.core.windows.net/a, az://data@account/a/",
    "https://account.blob.core.windows.net/data/a?sv=1&sig=s3cret, az://data@account/a/",
    "https://account.blob.core.usgovcloudapi.net/data, ''"
  })
  void each_form_of_a_url_names_account_and_container(String location, String shown) {
    StoreOptions options = StoreOptions.none();
    if (shown.isEmpty()) {
      assertThat(new AzureStoreProvider().prefers(URI.create(location))).isTrue();
      return;
    }
    Store store = await(Stores.open(location, options));
    assertThat(store.toString()).contains("AzureStore[" + shown + "]").doesNotContain("s3cret");
    await(store.close());
  }

  @Test
  void a_host_that_is_not_azure_or_has_no_container_is_for_http() {
    AzureStoreProvider provider = new AzureStoreProvider();
    for (String url :
        new String[] {
          "https://example.com/data/a",
          "https://account.blob.core.windows.net/",
          "http://account.blob.core.windows.net/data",
          "https://account.blob.core.windows.net.example.com/data"
        }) {
      assertThat(provider.prefers(URI.create(url))).as(url).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "az://user:s3cret@container/a",
        "az://container:9000/a",
        "az://container/a?sig=s3cret",
        "az://container/a#s3cret",
        "abfss://container/a",
        "abfss://container@s3cret.example.com/a",
        "az:///a"
      })
  void a_url_that_cannot_be_is_an_error_that_shows_no_secret(String location) {
    assertThat(errorOf(Stores.open(location, StoreOptions.none().with("account", "account"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "secret-key, x, the options are account",
    "anonymous, maybe, true or false",
    "part-size, 1000, at least 65536",
    "account, Not_One, not the name of an account",
    "connection-string, AccountKey=s3cret, names AccountName",
    "endpoint, ftp://host, http or https"
  })
  void an_unknown_option_is_an_error_that_lists_the_options(
      String name, String value, String said) {
    StoreOptions options = StoreOptions.none().with(name, value);
    assertThat(errorOf(Stores.open("az://container/a", options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(said)
        .hasMessageNotContaining("s3cret");
  }
}
