package dev.zarrreactive.internal.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.internal.http.ConnectionSettings;
import dev.zarrreactive.internal.http.HttpConnections;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.transfer.TransferSettings;
import dev.zarrreactive.internal.transfer.ValueReader;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** What the engine makes of the answers of a service. */
class ServiceRequestsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final StoreKey KEY = StoreKey.of("a/b");

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<ServerResponse> answers = new CopyOnWriteArrayList<>();
  private final FaultyServer server =
      FaultyServer.of(
          request -> {
            asked.add(request.method() + " " + request.header("authorization"));
            return Mono.just(answers.remove(0));
          });
  private final HttpConnections connections =
      new HttpConnections(new ConnectionSettings(new TransferSettings()), false, 1);

  @AfterEach
  void close() {
    connections.close().block(PATIENCE);
    server.close();
  }

  private ServiceRequests requests(Credential credential) {
    ServiceSettings settings =
        new ServiceSettings(
            Url.of(server.uri()),
            "box",
            new ObjectNames("box://box/", ""),
            false,
            false,
            PATIENCE,
            0,
            1);
    ServiceOfTests service = new ServiceOfTests();
    return new ServiceRequests(
        connections::client,
        settings,
        new ServiceIdentity(service, CredentialSource.fixed(credential)));
  }

  private ServiceRequests requests() {
    return requests(Credential.bearer("t0ken"));
  }

  private void answer(int status, String body) {
    answers.add(ServerResponse.of(status, Bytes.utf8(body)));
  }

  private static String error(String code) {
    return "<Error><Code>" + code + "</Code></Error>";
  }

  private Mono<VersionedBytes> read(ServiceRequests requests) {
    return new ValueReader(new ServiceValueRequests(requests), 0)
        .read(KEY, null, ReadCondition.ALWAYS);
  }

  @Test
  void a_code_says_that_a_value_is_missing() {
    answer(404, error("Gone"));
    assertThat(read(requests()).blockOptional(PATIENCE)).isEmpty();
    assertThat(asked).containsExactly("GET Bearer t0ken");
  }

  @Test
  void one_look_at_the_container_explains_every_404_without_a_code() {
    answer(404, "");
    answer(200, "");
    answer(404, "");
    ServiceRequests requests = requests();
    assertThat(read(requests).blockOptional(PATIENCE)).isEmpty();
    assertThat(read(requests).blockOptional(PATIENCE)).isEmpty();
    assertThat(asked).hasSize(3);
  }

  @Test
  void a_container_that_is_missing_is_an_error_with_the_words_of_the_service() {
    answer(404, "");
    answer(404, "");
    assertThat(catchThrowable(() -> read(requests()).block(PATIENCE)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("box://box/a/b answered 404; no box box is there");
  }

  @Test
  void a_hint_follows_the_code_and_no_text_of_the_server_does() {
    answer(409, error("Locked") + "<!-- do not show this -->");
    assertThat(catchThrowable(() -> read(requests()).block(PATIENCE)))
        .hasMessageContaining("answered 409 Locked; unlock the value first")
        .hasMessageNotContaining("do not show this");
  }

  @Test
  void a_code_behind_sixteen_kibibytes_is_not_read() {
    answer(409, "<Error><Text>" + "x".repeat(16 << 10) + "</Text><Code>Locked</Code></Error>");
    assertThat(catchThrowable(() -> read(requests()).block(PATIENCE)))
        .hasMessageContaining("answered 409")
        .hasMessageNotContaining("Locked");
  }

  @Test
  void another_server_gets_no_credential() {
    answer(200, "");
    ServiceRequests requests = requests();
    try (FaultyServer other =
        FaultyServer.of(
            request -> {
              asked.add("other " + request.header("authorization"));
              return Mono.just(ServerResponse.of(200, Bytes.utf8("")));
            })) {
      requests
          .ask(
              new ServiceRequest(
                  HttpMethod.GET,
                  Url.of(other.uri()),
                  Location.UNKNOWN,
                  "elsewhere",
                  Map.of(),
                  null))
          .block(PATIENCE);
      requests.ask(requests.settings().read(HttpMethod.HEAD, KEY, Map.of())).block(PATIENCE);
    }
    assertThat(asked).containsExactly("other null", "HEAD Bearer t0ken");
  }

  @Test
  void a_credential_that_the_service_does_not_take_is_refused_without_a_request() {
    assertThat(catchThrowable(() -> read(requests(Credential.anonymous())).block(PATIENCE)))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("this service takes headers");
    assertThat(asked).isEmpty();
  }

  @Test
  void an_erasure_of_another_version_says_what_was_answered() {
    answer(412, error("NotThat"));
    ServiceEraser eraser = new ServiceEraser(requests());
    assertThat(catchThrowable(() -> eraser.erase(KEY, new Version("\"1\"")).block(PATIENCE)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("the answer is 412 NotThat");
  }

  @Test
  void an_erasure_on_a_condition_that_the_service_lacks_sends_nothing() {
    ServiceEraser eraser = new ServiceEraser(requests());
    assertThat(catchThrowable(() -> eraser.erase(KEY, new Version("W/\"1\"")).block(PATIENCE)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("it is weak");
    assertThat(asked).isEmpty();
  }
}
