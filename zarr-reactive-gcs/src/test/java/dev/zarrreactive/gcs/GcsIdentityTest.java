package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Who asks, and what a refusal says. */
@ExtendWith(NoLeaks.class)
class GcsIdentityTest {
  private static final StoreKey KEY = StoreKey.of("a");
  private static final String SECRET = "t0ken-of-tests";

  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();
  private final FaultyServer server = FaultyServer.before(google.uri());

  @AfterEach
  void close() {
    server.close();
    google.close();
  }

  private GcsStoreBuilder at() {
    return GcsStore.at(bucket).endpoint(server.uri());
  }

  @Test
  void a_token_and_the_project_that_pays_go_with_every_request() {
    google.accept(("Bearer " + SECRET)::equals);
    GcsStore store = at().bearerToken(Mono.just(SECRET)).userProject("mine").open();
    await(store.set(KEY, Bytes.utf8("a")));
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("a"));
    assertThat(await(store.list().collectList())).containsExactly(KEY);
    await(store.erase(KEY));
    assertThat(server.requests())
        .hasSize(4)
        .allSatisfy(asked -> assertThat(asked.header("x-goog-user-project")).isEqualTo("mine"));
    await(store.close());
  }

  @Test
  void a_refused_token_says_whose_it_is_and_shows_no_secret() {
    google.accept(given -> false);
    GcsStore store = at().bearerToken(Mono.just(SECRET)).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("gs://" + bucket + "/a answered 401 AuthenticationRequired")
        .hasMessageContaining("the credential of the bearer token that was set")
        .hasMessageContaining("key a")
        .hasMessageNotContaining(SECRET);
    await(store.close());
  }

  @Test
  void a_request_without_a_credential_says_what_was_looked_for_and_what_to_set() {
    google.accept(given -> false);
    GcsStore store =
        at().credentials(
                GoogleSource.byDefault(Map.of("CLOUDSDK_CONFIG", "/a/folder/that/is/not/there")))
            .open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("the request had no credential")
        .hasMessageContaining("set GOOGLE_APPLICATION_CREDENTIALS to the file of a key");
    await(store.close());
  }

  @Test
  void keys_of_aws_are_refused_and_the_error_says_what_opens_with_them() {
    GcsStore store =
        at().credentials(CredentialSource.fixed(new Credential.AwsKeys("id", SECRET, null))).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("endpoint=https://storage.googleapis.com")
        .hasMessageNotContaining(SECRET);
    assertThat(server.requests()).isEmpty();
    await(store.close());
  }

  @Test
  void a_bucket_whose_readers_pay_says_what_to_set() {
    google.put(bucket, "a", new byte[1]);
    server.misbehave(
        Fault.answer(
            good ->
                ServerResponse.of(
                    400, Bytes.utf8("<Error><Code>UserProjectMissing</Code></Error>"))));
    GcsStore store = at().open();
    assertThat(errorOf(store.get(KEY)))
        .hasMessageContaining("name a project of yours with the option user-project");
    await(store.close());
  }

  @Test
  void another_endpoint_gets_no_credential_that_was_not_set() {
    GcsStore store =
        GcsStore.at(bucket)
            .environment(
                Map.of(
                    "GOOGLE_APPLICATION_CREDENTIALS",
                    "/no/such/file",
                    GcsStoreBuilder.EMULATOR,
                    server.uri().toString()))
            .open();
    assertThat(await(store.get(KEY))).isNull();
    assertThat(server.requests())
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.header("authorization")).isNull());
    await(store.close());
  }

  @Test
  void the_variable_of_emulators_may_lack_a_scheme() {
    GcsStore store =
        GcsStore.at(bucket)
            .environment(Map.of(GcsStoreBuilder.EMULATOR, "127.0.0.1:" + server.port()))
            .open();
    assertThat(await(store.get(KEY))).isNull();
    assertThat(server.requests()).isNotEmpty();
    await(store.close());
    assertThatThrownBy(
            GcsStore.at(bucket).environment(Map.of(GcsStoreBuilder.EMULATOR, "ftp://a"))::open)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("STORAGE_EMULATOR_HOST is no URL");
  }

  @Test
  void an_endpoint_has_no_secrets() {
    assertThatThrownBy(() -> GcsStore.at("data").endpoint(URI.create("http://a:b@c/")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("a:b");
  }
}
