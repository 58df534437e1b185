package dev.zarrreactive.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.threads.Daemons;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Earthdata and Planetary Computer, by servers that answer as their documentation says. */
class TokenServicesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final URI BUCKET = URI.create("s3://podaac-ops-cumulus-protected/data");

  @TempDir Path home;
  private final Map<String, String> variables = new HashMap<>();
  private volatile Function<ReceivedRequest, ServerResponse> answers =
      asked -> ServerResponse.of(404, Bytes.EMPTY);
  private final FaultyServer server =
      FaultyServer.of(asked -> Mono.fromSupplier(() -> answers.apply(asked)));

  @AfterEach
  void stop() {
    server.close();
  }

  private CredentialSource source(String name, String url, String... settings) {
    StoreOptions options = StoreOptions.none();
    for (int i = 0; i < settings.length; i += 2) {
      options = options.with(settings[i], settings[i + 1]);
    }
    Surroundings around = new Surroundings(variables::get, home.toString());
    return new CredentialsByName(around).source(name, URI.create(url), options);
  }

  private CredentialSource keys() {
    return source(
        "earthdata",
        BUCKET.toString(),
        "endpoint",
        server.uri() + "/s3credentials",
        "login",
        server.uri().toString());
  }

  private CredentialSource signatures() {
    return source(
        "planetary-computer",
        "https://daymeteuwest.blob.core.windows.net/daymet-zarr/daily/hi.zarr",
        "endpoint",
        server.uri() + "/api/sas/v1/token");
  }

  private static ExpiringCredential given(CredentialSource source) {
    return source.credential().subscribeOn(Schedulers.parallel()).block(PATIENCE);
  }

  private static Throwable errorOf(CredentialSource source) {
    return catchThrowable(() -> given(source));
  }

  private static ServerResponse json(String text) {
    return ServerResponse.of(200, Bytes.utf8(text)).with("content-type", "application/json");
  }

  private static ServerResponse keysUntil(String expiration) {
    return json(
        "{\"accessKeyId\": \"AKIA\", \"secretAccessKey\": \"s3cret\", \"sessionToken\": \"t0ken\","
            + " \"expiration\": \""
            + expiration
            + "\"}");
  }

  @Test
  void the_keys_of_earthdata_come_for_the_token_of_the_environment() {
    variables.put("EARTHDATA_TOKEN", "s3cret-token\n");
    answers = asked -> keysUntil("2031-01-27 00:50:09+00:00");
    assertThat(given(keys()))
        .isEqualTo(
            ExpiringCredential.until(
                Instant.parse("2031-01-27T00:50:09Z"),
                new Credential.AwsKeys("AKIA", "s3cret", "t0ken")));
    assertThat(server.requests())
        .singleElement()
        .satisfies(
            asked -> {
              assertThat(asked.uri()).isEqualTo("/s3credentials");
              assertThat(asked.header("authorization")).isEqualTo("Bearer s3cret-token");
            });
  }

  @Test
  void a_user_of_netrc_gets_a_token_first() throws IOException {
    Path file = home.resolve(".netrc");
    Files.writeString(file, "machine 127.0.0.1 login me password pw\n");
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    answers =
        asked ->
            asked.path().equals("s3credentials")
                ? keysUntil("2031-01-27 00:50:09+00:00")
                : json(
                    "{\"access_token\": \"t1\", \"token_type\": \"Bearer\", \"expiration_date\":"
                        + " \"05/20/2031\"}");
    assertThat(given(keys()).credential()).isInstanceOf(Credential.AwsKeys.class);
    assertThat(server.requests())
        .extracting(
            asked -> asked.method() + " " + asked.uri() + " " + asked.header("authorization"))
        .containsExactly(
            "POST /api/users/find_or_create_token Basic bWU6cHc=", "GET /s3credentials Bearer t1");
    CredentialSource https =
        source("earthdata", "https://data.example/x", "login", server.uri().toString());
    assertThat(given(https))
        .isEqualTo(
            ExpiringCredential.until(
                Instant.parse("2031-05-20T00:00:00Z"), Credential.bearer("t1")));
  }

  @Test
  void without_a_token_and_a_line_the_error_names_both() {
    assertThat(errorOf(keys()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("EARTHDATA_TOKEN is not set")
        .hasMessageContaining(".netrc has no line for the machine 127.0.0.1");
    assertThat(server.requests()).isEmpty();
    assertThat(keys().advice()).contains("EARTHDATA_TOKEN", "us-west-2");
  }

  @Test
  void keys_of_earthdata_are_not_asked_for_in_another_region() {
    variables.put("EARTHDATA_TOKEN", "t");
    variables.put("AWS_REGION", "eu-west-1");
    assertThat(errorOf(keys()))
        .hasMessageContaining("us-west-2 alone")
        .hasMessageContaining("AWS_REGION is eu-west-1")
        .hasMessageContaining("credentials.region=any");
    assertThat(server.requests()).isEmpty();
    answers = asked -> keysUntil("2031-01-27 00:50:09+00:00");
    CredentialSource any =
        source(
            "earthdata",
            BUCKET.toString(),
            "endpoint",
            server.uri() + "/s3credentials",
            "region",
            "any");
    assertThat(given(any).credential()).isInstanceOf(Credential.AwsKeys.class);
  }

  @Test
  void a_bucket_without_a_service_is_refused_with_an_example_of_one() {
    assertThat(catchThrowable(() -> source("earthdata", BUCKET.toString())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.endpoint")
        .hasMessageContaining("/s3credentials");
  }

  @Test
  void a_page_for_persons_is_a_refusal() {
    variables.put("EARTHDATA_TOKEN", "old");
    answers =
        asked ->
            ServerResponse.of(302, Bytes.EMPTY)
                .with("location", "https://urs.earthdata.nasa.gov/oauth/authorize?x=s3cret");
    assertThat(errorOf(keys()))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("/s3credentials answered 302 Found")
        .hasMessageContaining("log in")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void a_refusal_of_a_service_says_what_to_set() {
    variables.put("EARTHDATA_TOKEN", "s3cret");
    answers = asked -> ServerResponse.of(401, Bytes.EMPTY);
    assertThat(errorOf(keys()))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("answered 401")
        .hasMessageContaining("; set EARTHDATA_TOKEN")
        .hasMessageNotContaining("s3cret");
    answers = asked -> ServerResponse.of(404, Bytes.EMPTY);
    assertThat(errorOf(signatures()))
        .hasMessageContaining("answered 404")
        .hasMessageContaining("is the container one of its datasets?");
  }

  @Test
  void everybody_gets_a_signature_of_planetary_computer_and_a_key_is_sent_along() {
    answers =
        asked ->
            json("{\"msft:expiry\": \"2031-06-08T19:53:20Z\", \"token\": \"sv=1&sig=s3cret%3D\"}");
    ExpiringCredential expected =
        ExpiringCredential.until(
            Instant.parse("2031-06-08T19:53:20Z"), new Credential.Query("sv=1&sig=s3cret%3D"));
    assertThat(given(signatures())).isEqualTo(expected);
    variables.put("PC_SDK_SUBSCRIPTION_KEY", "my-key");
    assertThat(given(signatures())).isEqualTo(expected);
    assertThat(server.requests())
        .extracting(ReceivedRequest::uri)
        .containsOnly("/api/sas/v1/token/daymeteuwest/daymet-zarr");
    assertThat(server.requests())
        .extracting(asked -> asked.header("ocp-apim-subscription-key"))
        .containsExactly(null, "my-key");
  }

  @Test
  void a_url_that_names_no_container_is_refused() {
    assertThat(catchThrowable(() -> source("planetary-computer", "https://data.example/x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.account");
    assertThat(
            catchThrowable(
                () ->
                    source(
                        "planetary-computer",
                        "az://c/x",
                        "account",
                        "../../../sign?x",
                        "container",
                        "c")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no account");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "s3cret",
        "[\"s3cret\"]",
        "{\"token\": 7, \"msft:expiry\": \"s3cret\"}",
        "{\"token\": \"s3cret\"}",
        "{\"token\": \"s3cret x\", \"msft:expiry\": \"2031-06-08T19:53:20Z\"}",
        "{\"token\": \"s3cret\", \"token\": \"s3cret\"}"
      })
  void an_answer_of_another_form_is_an_error_that_shows_none_of_it(String answer) {
    answers = asked -> json(answer);
    StringWriter trace = new StringWriter();
    errorOf(signatures()).printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain("s3cret");
    assertThat(errorOf(signatures()))
        .isInstanceOfAny(StoreException.class, IllegalArgumentException.class);
  }

  @Test
  void an_answer_without_end_takes_bounded_memory() {
    answers = asked -> ServerResponse.of(200, Bytes.wrap(new byte[3 << 20]));
    assertThat(errorOf(signatures())).hasMessageContaining("more than 1048576 bytes");
  }

  @Test
  void a_service_that_answers_503_is_asked_once_in_each_back_off() {
    answers = asked -> ServerResponse.of(503, Bytes.EMPTY);
    Credentials credentials = Credentials.of(signatures());
    for (int round = 0; round < 5; round++) {
      List<Throwable> errors =
          Flux.range(0, 100)
              .flatMap(
                  i ->
                      credentials
                          .current()
                          .<Throwable>map(held -> new AssertionError(held))
                          .onErrorResume(Mono::just),
                  100)
              .collectList()
              .block(PATIENCE);
      assertThat(errors)
          .hasSize(100)
          .allSatisfy(
              e ->
                  assertThat(e)
                      .isInstanceOf(TransientStoreException.class)
                      .hasMessageContaining("Planetary Computer for daymeteuwest/daymet-zarr")
                      .hasMessageContaining("answered 503"));
    }
    assertThat(server.requests().size()).isLessThan(50); // one, or few where the machine pauses
  }

  @Test
  void a_service_that_hangs_ends_at_the_timeout_and_its_request_is_cancelled() {
    server.misbehave(Fault.silence());
    Scheduler timer = Daemons.timer("test-timer");
    Credentials credentials = new Credentials(signatures(), Duration.ofMillis(300), timer);
    assertThat(catchThrowable(() -> credentials.current().block(PATIENCE)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("no answer within 300 ms");
    timer.dispose();
  }

  @Test
  void a_service_that_gives_out_expired_keys_is_told_from_a_good_one() {
    variables.put("EARTHDATA_TOKEN", "t");
    answers = asked -> keysUntil("2021-01-27 00:50:09+00:00");
    assertThat(catchThrowable(() -> Credentials.of(keys()).current().block(PATIENCE)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("Earthdata")
        .hasMessageContaining("has expired at 2021-01-27T00:50:09Z");
  }
}
