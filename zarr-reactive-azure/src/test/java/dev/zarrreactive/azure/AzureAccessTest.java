package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Who may read, and what those are told who may not. */
@ExtendWith(NoLeaks.class)
class AzureAccessTest {
  private static final StoreKey A = StoreKey.of("a");

  private static AzureStoreBuilder without(String container) {
    return AzureStore.at(ConnectionString.EMULATED, container)
        .endpoint(Azurite.shared().uri())
        .environment(Map.of());
  }

  @Test
  void a_public_container_is_read_without_a_credential() {
    Azurite azure = Azurite.shared();
    String container = azure.newPublicContainer();
    azure.put(container, "a", new byte[] {7});
    AzureStore store = without(container).open();
    assertThat(await(store.get(A))).isEqualTo(Bytes.wrap(new byte[] {7}));
    assertThat(await(store.get(StoreKey.of("missing")))).isNull();
    assertThat(await(store.list().count())).isEqualTo(1);
    assertThat(errorOf(store.set(A, Bytes.EMPTY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("the request had no credential: set AZURE_STORAGE_ACCOUNT");
    await(store.close());
  }

  @Test
  void a_signature_and_the_key_of_the_environment_read_a_private_container() {
    Azurite azure = Azurite.shared();
    String container = azure.newContainer();
    azure.put(container, "a", new byte[] {7});
    AzureStore signed =
        without(container)
            .sasToken(Signatures.ofContainer(container, "rl", Instant.now().plusSeconds(600)))
            .open();
    AzureStore keyed =
        without(container)
            .environment(
                Map.of(
                    EnvironmentSource.ACCOUNT, ConnectionString.EMULATED,
                    EnvironmentSource.KEY, ConnectionString.EMULATED_KEY))
            .open();
    AzureStore connected =
        new AzureStoreBuilder(container).connectionString(azure.connectionString()).open();
    for (AzureStore store : new AzureStore[] {signed, keyed, connected}) {
      assertThat(await(store.get(A))).isEqualTo(Bytes.wrap(new byte[] {7}));
      await(store.close());
    }
  }

  @Test
  void a_wrong_key_is_an_error_that_says_whose_it_was_and_shows_none() {
    Azurite azure = Azurite.shared();
    String container = azure.newContainer();
    AzureStore store = without(container).accountKey("d3Jvbmc=").open();
    assertThat(errorOf(store.get(A)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("the credential that was set")
        .hasMessageContaining("key a")
        .hasMessageNotContaining("d3Jvbmc");
    await(store.close());
    AzureStore noBase64 = without(container).accountKey("not base64!").open();
    assertThat(errorOf(noBase64.get(A)))
        .hasMessageContaining("is not in Base64")
        .hasMessageNotContaining("not base64!");
    await(noBase64.close());
  }

  @Test
  void a_missing_container_is_an_error_and_no_missing_value() {
    AzureStore store = Azurite.shared().at("no-such-container").open();
    for (Mono<?> asked : new Mono<?>[] {store.get(A), store.list().then(), store.erase(A)}) {
      assertThat(errorOf(asked))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("ContainerNotFound; create the container first");
    }
    await(store.close());
  }

  /** Azurite answers 403 here; the service says 404 of a container that it hides. */
  @Test
  void a_hidden_container_is_told_from_a_missing_value_by_one_look_at_it() {
    ServerResponse hidden =
        ServerResponse.of(404, Bytes.EMPTY).with("x-ms-error-code", "ResourceNotFound");
    try (FaultyServer server = FaultyServer.of(asked -> Mono.just(hidden))) {
      AzureStore store =
          AzureStore.at("account", "container").endpoint(server.uri()).anonymous().open();
      for (int i = 0; i < 3; i++) {
        assertThat(errorOf(store.get(A)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("404 ResourceNotFound")
            .hasMessageContaining("it is missing or private; the request had no credential");
      }
      assertThat(server.requests()).hasSize(4);
      await(store.close());
    }
  }

  @Test
  void a_404_of_no_code_is_a_missing_value_where_the_container_is_there() {
    try (FaultyServer server =
        FaultyServer.of(
            asked ->
                Mono.just(
                    ServerResponse.of(
                        asked.uri().contains("comp=list") ? 200 : 404, Bytes.EMPTY)))) {
      AzureStore store =
          AzureStore.at("account", "container").endpoint(server.uri()).anonymous().open();
      assertThat(await(store.get(A))).isNull();
      assertThat(await(store.get(A))).isNull();
      assertThat(server.requests()).hasSize(3);
      await(store.close());
    }
  }

  @Test
  void a_kind_of_credentials_of_another_service_is_refused() {
    AzureStore store =
        AzureStore.at("account", "container")
            .credentials(CredentialSource.fixed(new Credential.AwsKeys("access", "s3cret", null)))
            .open();
    assertThat(errorOf(store.get(A)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("not the keys of AWS".replace("the ", ""))
        .hasMessageNotContaining("s3cret");
    await(store.close());
  }

  @Test
  void the_account_of_a_container_must_be_known() {
    assertThat(
            org.assertj.core.api.Assertions.catchThrowable(
                () -> new AzureStoreBuilder("container").environment(Map.of()).open()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set the option account, or the variable AZURE_STORAGE_ACCOUNT");
  }
}
