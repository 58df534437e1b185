package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.javanet.NetHttpTransport;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.Origin;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Tokens of Google, from services as they are documented. */
@ExtendWith(NoLeaks.class)
class GoogleSourceTest {
  private static final String TOKEN = "ya29.t0ken-of-tests";

  @TempDir Path folder;

  private final FaultyServer service = FaultyServer.of((Origin) GoogleSourceTest::answer);

  @AfterEach
  void close() {
    service.close();
  }

  /** The services of tokens: of keys, of users, of exchanges, and the metadata server. */
  private static Mono<ServerResponse> answer(ReceivedRequest asked) {
    String body =
        switch (asked.path()) {
          case "token", "computeMetadata/v1/instance/service-accounts/default/token" ->
              "{\"access_token\":\"" + TOKEN + "\",\"expires_in\":3599,\"token_type\":\"Bearer\"}";
          case "exchange" ->
              "{\"access_token\":\""
                  + TOKEN
                  + "\",\"issued_token_type\":\"urn:ietf:params:oauth:token-type:access_token\","
                  + "\"expires_in\":3599,\"token_type\":\"Bearer\"}";
          default -> "";
        };
    return Mono.just(
        ServerResponse.of(body.isEmpty() ? 404 : 200, Bytes.utf8(body))
            .with("content-type", "application/json")
            .with("metadata-flavor", "Google"));
  }

  /** Sends what is for Google's services to the service of this test. */
  private HttpTransport local() {
    return new NetHttpTransport.Builder()
        .setConnectionFactory(
            url ->
                (HttpURLConnection)
                    URI.create(service.uri() + url.getFile()).toURL().openConnection())
        .build();
  }

  private GoogleSource file(String json) throws IOException {
    Path file = Files.writeString(folder.resolve("key.json"), json);
    return new GoogleSource(GoogleSource.Kind.FILE, file.toString(), Map.of(), this::local);
  }

  private String serviceAccount() throws GeneralSecurityException {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    String key =
        Base64.getMimeEncoder().encodeToString(keys.generateKeyPair().getPrivate().getEncoded());
    return "{\"type\":\"service_account\",\"project_id\":\"p\",\"private_key_id\":\"id\","
        + "\"private_key\":\"-----BEGIN PRIVATE KEY-----\\n"
        + key.replace("\r\n", "\\n")
        + "\\n-----END PRIVATE KEY-----\\n\",\"client_email\":\"a@p.iam.gserviceaccount.com\","
        + "\"client_id\":\"1\",\"token_uri\":\""
        + service.uri()
        + "/token\"}";
  }

  private static void assertIsToken(CredentialSource source) {
    ExpiringCredential given = await(source.credential());
    assertThat(given).isNotNull();
    assertThat(given.credential()).isEqualTo(Credential.bearer(TOKEN));
    assertThat(given.expiry())
        .isBetween(
            Instant.now().plus(Duration.ofMinutes(30)), Instant.now().plus(Duration.ofHours(2)));
    assertThat(given.toString()).doesNotContain(TOKEN);
  }

  @Test
  void a_service_account_signs_for_its_token() throws Exception {
    assertIsToken(file(serviceAccount()));
    assertThat(service.requests()).hasSize(1);
  }

  @Test
  void the_variable_names_a_file_and_so_does_the_folder_of_gcloud() throws Exception {
    Path file =
        Files.writeString(folder.resolve("application_default_credentials.json"), serviceAccount());
    assertIsToken(
        GoogleSource.byDefault(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString())));
    assertIsToken(GoogleSource.byDefault(Map.of("CLOUDSDK_CONFIG", folder.toString())));
  }

  @Test
  void a_workload_identity_exchanges_the_token_of_another_service() throws Exception {
    Path subject = Files.writeString(folder.resolve("subject"), "of-another-service");
    assertIsToken(
        file(
            "{\"type\":\"external_account\",\"audience\":\"//iam.googleapis.com/projects/1/"
                + "locations/global/workloadIdentityPools/pool/providers/one\","
                + "\"subject_token_type\":\"urn:ietf:params:oauth:token-type:jwt\",\"token_url\":\"https://sts.googleapis.com/exchange\",\"credential_source\":{\"file\":\""
                + subject
                + "\"}}"));
  }

  @Test
  void the_metadata_server_of_a_machine_of_google_gives_one() {
    Map<String, String> cloudRun = Map.of("CLOUDSDK_CONFIG", folder.toString(), "K_SERVICE", "a");
    for (GoogleSource.Kind kind :
        List.of(GoogleSource.Kind.METADATA, GoogleSource.Kind.DEFAULT_OR_NONE)) {
      assertIsToken(new GoogleSource(kind, null, cloudRun, this::local));
    }
    assertThat(service.requests())
        .isNotEmpty()
        .allSatisfy(asked -> assertThat(asked.header("metadata-flavor")).isEqualTo("Google"));
  }

  @Test
  void nothing_at_all_is_no_credential_by_default_and_an_error_where_it_was_asked_for() {
    Map<String, String> nothing = Map.of("CLOUDSDK_CONFIG", folder.toString());
    assertThat(await(GoogleSource.byDefault(nothing).credential()).credential())
        .isEqualTo(Credential.anonymous());
    assertThat(
            errorOf(
                new GoogleSource(GoogleSource.Kind.DEFAULT, null, nothing, GoogleSource.HTTP)
                    .credential()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the variable GOOGLE_APPLICATION_CREDENTIALS is not set")
        .hasMessageContaining(folder + "/application_default_credentials.json");
  }

  @Test
  void a_file_that_is_missing_or_wrong_is_named() throws Exception {
    GoogleSource missing =
        GoogleSource.byDefault(Map.of("GOOGLE_APPLICATION_CREDENTIALS", folder + "/none.json"));
    assertThat(errorOf(missing.credential()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the file " + folder + "/none.json");
    assertThat(errorOf(file("{\"type\":\"s3cret\"}").credential()))
        .hasMessageContaining(folder + "/key.json holds no credentials that can be read");
    assertThat(errorOf(file("no json, s3cret").credential()))
        .hasMessageContaining("key.json")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_service_that_refuses_denies_access_and_one_that_is_down_may_pass() throws Exception {
    GoogleSource source = file(serviceAccount());
    service.misbehave(Fault.status(401, null));
    assertThat(errorOf(source.credential())).isInstanceOf(AccessDeniedException.class);
    service.stop();
    assertThat(errorOf(source.credential())).isInstanceOf(TransientStoreException.class);
    service.restart();
  }

  @Test
  void sources_have_names_and_know_their_settings() {
    GoogleSourceProvider provider = new GoogleSourceProvider();
    URI bucket = URI.create("gs://bucket/");
    assertThat(provider.names()).contains("google", "google-file", "google-metadata");
    StoreOptions named = StoreOptions.none().with("file", "/a/key.json");
    assertThat(provider.source("google-file", bucket, named))
        .isEqualTo(provider.source("google-file", bucket, named))
        .hasToString("the file of a Google account");
    assertThatThrownBy(() -> provider.source("google", bucket, named))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("google has no setting file");
  }
}
