package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Credentials that expire in the middle of a read, as headers and as the query of the URL. */
@ExtendWith(NoLeaks.class)
class HttpRenewalTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final MemoryStore values = MemoryStore.create();
  private final Bytes value = Bytes.utf8("value");
  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final Map<String, Instant> expiries = new ConcurrentHashMap<>();
  private FaultyServer server;
  private FaultyServer other;

  @BeforeEach
  void start() {
    values.set(KEY, value).block();
    server = FaultyServer.of(values);
    other = FaultyServer.of(values);
  }

  @AfterEach
  void stop() {
    server.close();
    other.close();
  }

  /** Hands out a secret for each look-up, {@code s3cret-1} and so on. */
  private CredentialSource source(Duration life, Function<String, Credential> made) {
    return new CredentialSource() {
      @Override
      public Mono<ExpiringCredential> credential() {
        return Mono.fromSupplier(
            () -> {
              lookUps.add(Instant.now());
              Instant expiry = Instant.now().plus(life);
              String secret = "s3cret-" + lookUps.size();
              expiries.put(secret, expiry);
              return ExpiringCredential.until(expiry, made.apply(secret));
            });
      }

      @Override
      public String name() {
        return "the vault";
      }

      @Override
      public String advice() {
        return "set VAULT_TOKEN";
      }
    };
  }

  private CredentialSource tokens(Duration life) {
    return source(life, Credential::bearer);
  }

  private CredentialSource signatures(Duration life) {
    return source(life, secret -> new Credential.Query("sv=1&sig=" + secret));
  }

  private HttpStore store(CredentialSource source) {
    return HttpStore.at(server.uri()).credentials(source).open();
  }

  private static String secretOf(ReceivedRequest asked) {
    String header = asked.header("authorization");
    return header != null
        ? header.substring("Bearer ".length())
        : asked.uri().substring(asked.uri().indexOf("sig=") + 4);
  }

  private static Fault refuse(int status, String secret) {
    return Fault.status(status, null).where(asked -> secretOf(asked).equals(secret));
  }

  @Test
  void a_query_is_added_to_that_of_the_url_and_renewed_after_a_refusal() {
    server.misbehave(refuse(401, "s3cret-1"));
    HttpStore store =
        HttpStore.at(URI.create(server.uri() + "/?x=%2F")).credentials(signatures(HOUR)).open();
    assertThat(await(store.get(KEY))).isEqualTo(value);
    assertThat(server.requests())
        .extracting(ReceivedRequest::uri)
        .containsExactly("/a/c/0?x=%2F&sv=1&sig=s3cret-1", "/a/c/0?x=%2F&sv=1&sig=s3cret-2");
  }

  @Test
  void a_forbidden_value_is_asked_for_once_while_the_credential_is_valid() {
    server.misbehave(Fault.status(403, null));
    HttpStore store = store(tokens(HOUR));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("403 Forbidden")
        .hasMessageContaining("the vault: set VAULT_TOKEN")
        .hasMessageContaining(KEY.value())
        .hasMessageNotContaining("s3cret");
    assertThat(server.requests()).hasSize(1);
    assertThat(lookUps).hasSize(1);
  }

  @Test
  void a_signature_that_azure_calls_invalid_is_renewed_though_the_status_is_403() {
    server.misbehave(
        refuse(403, "s3cret-1").and(Fault.header("x-ms-error-code", "AuthenticationFailed")));
    assertThat(await(store(signatures(HOUR)).get(KEY))).isEqualTo(value);
    assertThat(lookUps).hasSize(2);
  }

  @Test
  void a_request_that_is_refused_twice_ends_in_an_error_that_says_what_to_set() {
    server.misbehave(Fault.status(401, null));
    assertThat(errorOf(store(tokens(HOUR)).get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("401 Unauthorized")
        .hasMessageContaining("the vault: set VAULT_TOKEN");
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void without_a_credential_the_error_names_the_option() {
    server.misbehave(Fault.status(401, null));
    assertThat(errorOf(HttpStore.open(server.uri()).get(KEY)))
        .hasMessageContaining("no credential was set")
        .hasMessageContaining("the option credentials");
    server.misbehave(Fault.status(403, null));
    assertThat(errorOf(HttpStore.open(URI.create(server.uri() + "/?sig=s3cret")).get(KEY)))
        .hasMessageContaining("the query of the URL, which may have expired")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void keys_of_another_protocol_are_refused_by_their_kind() {
    CredentialSource keys = CredentialSource.fixed(new Credential.AwsKeys("a", "s3cret", null));
    assertThat(errorOf(store(keys).get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("takes headers or a query, and was given keys of AWS")
        .hasMessageNotContaining("s3cret");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void a_source_that_fails_is_named_with_its_reason_and_the_key() {
    CredentialSource sealed =
        CredentialSource.of("the vault", Mono.error(new IllegalStateException("it is sealed")));
    assertThat(errorOf(store(sealed).get(KEY)))
        .isExactlyInstanceOf(StoreException.class)
        .hasMessageContaining("no credential from the vault: it is sealed")
        .hasMessageContaining("key " + KEY);
    CredentialSource silent =
        CredentialSource.of("the vault", Mono.error(new java.io.IOException("reset")));
    assertThat(errorOf(store(silent).get(KEY))).isInstanceOf(TransientStoreException.class);
    assertThat(server.requests()).isEmpty();
  }

  /** A redirect within the server gets the query; one to another server gets nothing. */
  @Test
  void a_signature_stays_with_its_server() {
    server.misbehave(
        Fault.redirect(307, "/moved/here")
            .where(asked -> asked.path().equals("a/c/0"))
            .and(
                Fault.redirect(307, other.uri() + "/a/c/0")
                    .where(asked -> asked.path().equals("moved/here"))));
    assertThat(await(store(signatures(HOUR)).get(KEY))).isEqualTo(value);
    assertThat(server.requests())
        .extracting(ReceivedRequest::uri)
        .containsExactly("/a/c/0?sv=1&sig=s3cret-1", "/moved/here?sv=1&sig=s3cret-1");
    assertThat(other.requests()).extracting(ReceivedRequest::uri).containsExactly("/a/c/0");
  }

  /** What another server refuses says nothing about the credential. */
  @Test
  void a_refusal_of_another_server_renews_nothing() {
    other.misbehave(Fault.status(401, null));
    server.misbehave(Fault.redirect(307, other.uri() + "/a/c/0"));
    assertThat(errorOf(store(tokens(HOUR)).get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageNotContaining("vault");
    assertThat(lookUps).hasSize(1);
    assertThat(other.requests()).hasSize(1);
  }

  @Test
  void stores_of_one_source_share_its_look_ups() {
    CredentialSource shared = tokens(HOUR);
    assertThat(await(store(shared).get(KEY))).isEqualTo(value);
    assertThat(await(store(shared).get(KEY))).isEqualTo(value);
    assertThat(lookUps).hasSize(1);
  }
}
