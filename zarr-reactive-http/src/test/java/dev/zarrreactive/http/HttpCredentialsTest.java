package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.http.Served.PATIENCE;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.util.retry.Retry;

/**
 * Tokens, signatures and redirects: each server receives its own secrets, and no error shows one.
 */
@ExtendWith(NoLeaks.class)
class HttpCredentialsTest {
  private static final String SECRET = "s3cret";

  private final MemoryStore values = MemoryStore.create();
  private final Bytes value = Bytes.utf8("value");
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

  private static Fault onlyWith(String token) {
    return Fault.status(401, null)
        .where(asked -> !("Bearer " + token).equals(asked.header("authorization")));
  }

  @Test
  void a_token_is_asked_for_once_and_once_more_when_it_is_refused() {
    AtomicInteger asked = new AtomicInteger();
    Mono<String> token = Mono.fromSupplier(() -> "token-" + asked.incrementAndGet());
    HttpStore store = HttpStore.at(server.uri()).bearerToken(token).open();
    server.misbehave(onlyWith("token-1"));
    Flux.range(0, 20).flatMap(i -> store.get(KEY)).then().block(PATIENCE);
    assertThat(asked).hasValue(1);

    server.misbehave(onlyWith("token-2"));
    Flux.range(0, 20).flatMap(i -> store.get(KEY)).then().block(PATIENCE);
    assertThat(asked).hasValueBetween(2, 2);

    server.misbehave(onlyWith("none"));
    server.forget();
    assertThat(errorOf(store.get(KEY))).isInstanceOf(AccessDeniedException.class);
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void without_a_token_nothing_is_asked_and_a_request_after_the_back_off_tries_again() {
    AtomicInteger asked = new AtomicInteger();
    Mono<String> token =
        Mono.fromSupplier(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("no token today");
              }
              return "token";
            });
    HttpStore store = HttpStore.at(server.uri()).bearerToken(token).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(KEY.value());
    assertThat(server.requests()).isEmpty();
    assertThat(await(store.get(KEY).retryWhen(Retry.fixedDelay(600, Duration.ofMillis(50)))))
        .isEqualTo(value);
    assertThat(asked).hasValue(2);
  }

  @Test
  void headers_a_password_and_a_signature_are_sent_with_every_request() {
    URI uri =
        URI.create("http://me:a%20b@127.0.0.1:" + server.port() + "/?sig=" + SECRET + "&x=%2F");
    HttpStore store = HttpStore.at(uri).header("X-Api-Key", "key").open();
    assertThat(await(store.get(KEY))).isEqualTo(value);
    ReceivedRequest asked = server.requests().get(0);
    assertThat(asked.uri()).isEqualTo("/a/c/0?sig=" + SECRET + "&x=%2F");
    assertThat(asked.header("x-api-key")).isEqualTo("key");
    assertThat(asked.header("authorization")).isEqualTo("Basic bWU6YSBi");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirects_are_followed_and_credentials_stay_with_their_server(int status) {
    other.misbehave(Fault.NONE);
    server.misbehave(
        Fault.redirect(status, "/moved/here")
            .where(asked -> asked.path().equals("a/c/0"))
            .and(
                Fault.redirect(status, other.uri() + "/a/c/0?presigned=1")
                    .where(asked -> asked.path().equals("moved/here"))));
    HttpStore store =
        HttpStore.at(URI.create("http://me:pw@127.0.0.1:" + server.port() + "/?sig=" + SECRET))
            .header("X-Api-Key", "key")
            .headers(Mono.just(Map.of("X-Token", SECRET)))
            .open();
    assertThat(await(store.get(KEY))).isEqualTo(value);
    assertThat(server.requests())
        .hasSize(2)
        .allMatch(asked -> SECRET.equals(asked.header("x-token")));
    assertThat(other.requests())
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.uri()).isEqualTo("/a/c/0?presigned=1");
              assertThat(asked.headers())
                  .doesNotContainKeys("x-token", "x-api-key", "authorization");
            });
  }

  @Test
  void headers_of_a_client_of_the_users_own_stay_with_their_server_too() {
    server.misbehave(Fault.redirect(302, other.uri() + "/a/c/0"));
    HttpClient own = HttpClient.create().headers(h -> h.set("Authorization", SECRET));
    HttpStore store = HttpStore.at(server.uri()).client(own).open();
    assertThat(await(store.get(KEY))).isEqualTo(value);
    assertThat(server.requests().get(0).header("authorization")).isEqualTo(SECRET);
    assertThat(other.requests().get(0).header("authorization")).isNull();
  }

  @Test
  void a_redirect_in_a_circle_ends_in_an_error() {
    server.misbehave(Fault.redirect(302, "/a/c/0"));
    HttpStore store = HttpStore.open(server.uri());
    assertThat(errorOf(store.get(KEY))).isInstanceOf(StoreException.class);
    assertThat(server.requests()).hasSize(9);
  }

  @Test
  void a_redirect_is_an_error_where_none_is_wanted_or_it_leads_nowhere() {
    server.misbehave(Fault.redirect(302, "/elsewhere"));
    HttpStore store = HttpStore.at(server.uri()).followRedirects(false).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("/elsewhere");
    server.misbehave(Fault.redirect(302, "ftp://elsewhere/"));
    assertThat(errorOf(HttpStore.open(server.uri()).get(KEY))).isInstanceOf(StoreException.class);
  }

  @Test
  void a_redirect_to_a_slash_is_a_directory_and_no_value() {
    server.misbehave(Fault.redirect(301, "/a/c/0/"));
    assertThat(await(HttpStore.open(server.uri()).get(KEY))).isNull();
  }

  @Test
  void no_error_shows_a_secret() {
    values.set(StoreKey.of("p/" + KEY), value).block();
    URI uri =
        URI.create("http://me:" + SECRET + "@127.0.0.1:" + server.port() + "/p/?sig=" + SECRET);
    HttpStore store =
        HttpStore.at(uri)
            .header("X-Api-Key", SECRET)
            .headers(Mono.just(Map.of("X-Token", SECRET)))
            .open();
    List<Fault> faults =
        List.of(
            Fault.status(400, null),
            Fault.status(403, null),
            Fault.status(503, null),
            Fault.header("content-encoding", "br"),
            Fault.redirect(302, "/?sig=" + SECRET + "#x"),
            Fault.redirect(302, "http://me:" + SECRET + "@[/"),
            Fault.reset(),
            Fault.cutAfter(0));
    for (Fault fault : faults) {
      server.misbehave(fault);
      StringWriter trace = new StringWriter();
      errorOf(store.get(KEY)).printStackTrace(new PrintWriter(trace));
      assertThat(trace.toString()).contains(KEY.value()).doesNotContain(SECRET);
    }
    server.stop();
    StringWriter trace = new StringWriter();
    errorOf(store.get(KEY)).printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).contains("127.0.0.1").doesNotContain(SECRET);
    assertThat(store).hasToString("HttpStore[http://127.0.0.1:" + server.port() + "/p/]");
  }
}
