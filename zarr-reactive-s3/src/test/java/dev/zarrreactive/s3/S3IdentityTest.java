package dev.zarrreactive.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.testing.ChildProcess;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Web identities and single sign-on by the SDK, in a process with the variables and the files of
 * such a machine, from services as they are documented. The bucket takes the newest keys alone,
 * which live for five seconds.
 */
class S3IdentityTest {
  private static final String READ = "read 5 bytes";
  private static final String ROLE = "arn:aws:iam::123456789012:role/reader";
  private static final String START = "https://of-tests.awsapps.com/start";

  @TempDir Path home;

  private final AtomicInteger keys = new AtomicInteger();
  private final List<String> identities = new CopyOnWriteArrayList<>();
  private final AnsweringS3 s3 = new AnsweringS3(this::answer);
  private volatile int refusal;
  private final DisposableServer services =
      HttpServer.create().host("127.0.0.1").port(0).handle(this::serve).bindNow();

  @AfterEach
  void close() {
    s3.close();
    services.disposeNow();
  }

  private ServerResponse answer(ReceivedRequest asked) {
    return ("t0ken-" + keys).equals(asked.header("x-amz-security-token"))
        ? AnsweringS3.VALUE
        : AnsweringS3.error(400, "ExpiredToken");
  }

  private static Instant expiry() {
    return Instant.now().plusSeconds(5);
  }

  /** STS by POST, the portal of single sign-on by GET. */
  private Mono<Void> serve(HttpServerRequest request, HttpServerResponse response) {
    return request
        .receive()
        .aggregate()
        .asString()
        .defaultIfEmpty("")
        .flatMap(
            form -> {
              response.status(refusal == 0 ? 200 : refusal);
              if (refusal != 0) {
                return response
                    .sendString(
                        Mono.just(
                            "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not for this"
                                + " role</Message></Error></ErrorResponse>"))
                    .then();
              }
              return request.uri().startsWith("/federation/")
                  ? response
                      .header("content-type", "application/json")
                      .sendString(Mono.just(roleKeys(request)))
                      .then()
                  : response
                      .header("content-type", "text/xml")
                      .sendString(Mono.just(sessionKeys(form)))
                      .then();
            });
  }

  private String roleKeys(HttpServerRequest request) {
    identities.add(String.valueOf(request.requestHeaders().get("x-amz-sso_bearer_token")));
    int number = keys.incrementAndGet();
    return String.format(
        Locale.ROOT,
        "{\"roleCredentials\":{\"accessKeyId\":\"KEY%d\",\"secretAccessKey\":\"s3cret\","
            + "\"sessionToken\":\"t0ken-%d\",\"expiration\":%d}}",
        number,
        number,
        expiry().toEpochMilli());
  }

  private String sessionKeys(String form) {
    Map<String, List<String>> asked = new QueryStringDecoder(form, false).parameters();
    assertThat(asked.get("Action")).containsExactly("AssumeRoleWithWebIdentity");
    assertThat(asked.get("RoleArn")).containsExactly(ROLE);
    identities.addAll(asked.get("WebIdentityToken"));
    int number = keys.incrementAndGet();
    return String.format(
        Locale.ROOT,
        "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><AssumedRoleUser>"
            + "<Arn>arn:aws:sts::123456789012:assumed-role/reader/s</Arn>"
            + "<AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser><Credentials>"
            + "<AccessKeyId>KEY%d</AccessKeyId><SecretAccessKey>s3cret</SecretAccessKey>"
            + "<SessionToken>t0ken-%d</SessionToken><Expiration>%s</Expiration></Credentials>"
            + "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>",
        number,
        number,
        expiry().truncatedTo(ChronoUnit.SECONDS));
  }

  private ChildProcess start(Map<String, String> more, String... options) {
    String service = "http://127.0.0.1:" + services.port();
    Map<String, String> environment = new TreeMap<>(more);
    environment.put("HOME", home.toString());
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    environment.put("AWS_ENDPOINT_URL_STS", service);
    environment.put("AWS_ENDPOINT_URL_SSO", service);
    environment.put("AWS_ENDPOINT_URL_SSO_OIDC", service);
    String[] all = new String[options.length + 2];
    all[0] = "endpoint";
    all[1] = s3.server.uri().toString();
    System.arraycopy(options, 0, all, 2, options.length);
    return ChildProcess.start(ReadWithNamedKeys.class, environment, all);
  }

  /** Reads until the process has used three keys. */
  private void readOn(ChildProcess process) {
    while (keys.get() < 3) {
      process.go();
      assertThat(process.line()).isEqualTo(READ);
    }
  }

  private Map<String, String> ofPod(Path token) {
    return Map.of("AWS_ROLE_ARN", ROLE, "AWS_WEB_IDENTITY_TOKEN_FILE", token.toString());
  }

  @Test
  void a_web_identity_gives_keys_that_are_renewed_and_its_file_may_be_replaced() throws Exception {
    Path token = Files.writeString(home.resolve("token"), "first-s3cret");
    try (ChildProcess process = start(ofPod(token), "credentials", "aws-web-identity")) {
      assertThat(process.line()).isEqualTo(READ);
      Files.writeString(token, "second-s3cret");
      readOn(process);
    }
    assertThat(identities).startsWith("first-s3cret").endsWith("second-s3cret");
  }

  @Test
  void the_default_chain_finds_the_web_identity_of_a_pod_and_tells_why_it_gives_nothing()
      throws Exception {
    Path token = Files.writeString(home.resolve("token"), "pod-s3cret");
    try (ChildProcess process = start(ofPod(token))) {
      assertThat(process.line()).isEqualTo(READ);
    }
    refusal = 403;
    for (String[] source : new String[][] {{}, {"credentials", "aws-web-identity"}}) {
      try (ChildProcess process = start(ofPod(token), source)) {
        assertThat(process.line())
            .contains("not for this role")
            .contains("key a/c/0")
            .doesNotContain("pod-s3cret");
      }
    }
    refusal = 503;
    try (ChildProcess process = start(ofPod(token), "credentials", "aws-web-identity")) {
      assertThat(process.line()).startsWith("TransientStoreException: ").contains("answered 503");
    }
    try (ChildProcess process = start(ofPod(home.resolve("none")), "credentials", "aws")) {
      assertThat(process.line())
          .contains("AWS_WEB_IDENTITY_TOKEN_FILE names an identity, which gave no keys")
          .contains(home.resolve("none").toString());
    }
  }

  private void logIn(String session) throws Exception {
    logIn(session, Instant.now().plus(Duration.ofHours(1)), "");
  }

  /**
   * Writes what {@code aws sso login} does.
   *
   * @param more members of the file
   */
  private void logIn(String session, Instant expiry, String more) throws Exception {
    byte[] name =
        MessageDigest.getInstance("SHA-1").digest(session.getBytes(StandardCharsets.UTF_8));
    Path cache = Files.createDirectories(home.resolve(".aws/sso/cache"));
    Files.writeString(
        cache.resolve(String.format(Locale.ROOT, "%040x.json", new BigInteger(1, name))),
        "{\"startUrl\":\""
            + START
            + "\",\"region\":\"us-east-1\",\"accessToken\":\"login-s3cret\",\"expiresAt\":\""
            + expiry.truncatedTo(ChronoUnit.SECONDS)
            + "\""
            + more
            + "}");
  }

  private Path configuration() throws IOException {
    return Files.writeString(
        Files.createDirectories(home.resolve(".aws")).resolve("config"),
        """
        [profile plain]
        sso_start_url = %s
        sso_region = us-east-1
        sso_account_id = 123456789012
        sso_role_name = reader
        [profile session]
        sso_session = corp
        sso_account_id = 123456789012
        sso_role_name = reader
        [sso-session corp]
        sso_start_url = %s
        sso_region = us-east-1
        """
            .formatted(START, START));
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "session"})
  void a_profile_of_single_sign_on_gives_keys(String profile) throws Exception {
    configuration();
    logIn(profile.equals("plain") ? START : "corp");
    try (ChildProcess process =
        start(Map.of(), "credentials", "aws-profile", "credentials.profile", profile)) {
      assertThat(process.line()).isEqualTo(READ);
    }
    assertThat(identities).containsOnly("login-s3cret");
  }

  @Test
  void a_profile_that_nobody_has_logged_in_to_says_how() throws Exception {
    configuration();
    try (ChildProcess process =
        start(Map.of(), "credentials", "aws-profile", "credentials.profile", "plain")) {
      assertThat(process.line())
          .contains("no credential from the source aws-profile")
          .contains("aws sso login");
    }
  }

  /**
   * A login that has expired, that is not renewed, that the service refuses, and none at all, of a
   * plain profile and of one with a session.
   */
  @ParameterizedTest
  @CsvSource({
    "plain, aws-profile",
    "session, aws-profile",
    "renewed, aws-profile",
    "refused, aws-profile",
    "none, aws-profile",
    "plain, aws",
    "session, aws",
    "refused, aws",
    "plain, ''",
    "none, ''"
  })
  void a_login_that_has_expired_says_how_to_log_in_again(String login, String source)
      throws Exception {
    configuration();
    Instant expiry = Instant.now().plus(Duration.ofHours(login.equals("refused") ? 1 : -1));
    String profile = login.equals("plain") ? "plain" : "session";
    if (!login.equals("none")) {
      logIn(
          profile.equals("plain") ? START : "corp",
          expiry,
          login.equals("renewed")
              ? ",\"refreshToken\":\"r3fresh\",\"clientId\":\"c\",\"clientSecret\":\"s3cret\","
                  + "\"registrationExpiresAt\":\""
                  + Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.SECONDS)
                  + "\""
              : "");
    }
    refusal = 401;
    String[] options = source.isEmpty() ? new String[0] : new String[] {"credentials", source};
    try (ChildProcess process = start(Map.of("AWS_PROFILE", profile), options)) {
      String line = process.line();
      assertThat(line)
          .startsWith("AccessDeniedException: ")
          .contains("log in by: aws sso login --profile " + profile)
          .doesNotContain("s3cret")
          .doesNotContain("r3fresh");
    }
  }
}
