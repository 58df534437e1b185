package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.AnsweringS3.VALUE;
import static dev.zarrreactive.s3.AnsweringS3.error;
import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.SdkGlobalTime;

/** Reads that are signed by the store and sent without the SDK. */
@ExtendWith(NoLeaks.class)
class S3SignedReadsTest {
  private final AnsweringS3 s3 = new AnsweringS3(asked -> VALUE);

  /** The SDK shares what it has learned of a clock with every client of the process. */
  @AfterEach
  void close() {
    SdkGlobalTime.setGlobalTimeOffset(0);
    s3.close();
  }

  @Test
  void a_server_that_checks_signatures_accepts_a_read_without_the_sdk() {
    try (OneValue one = new OneValue(1000, settings -> settings.prefix("\u00e9 +%/$@=~()'*"))) {
      StoreKey odd = StoreKey.of("a b/\u4e2d+&=%2F?#");
      await(one.store.set(odd, one.value));
      one.server.forget();
      assertThat(await(one.store.get(odd))).isEqualTo(one.value);
      assertThat(await(one.store.get(odd, new ByteRange.Slice(10, 20))))
          .isEqualTo(one.value.slice(10, 20));
      Version version =
          Objects.requireNonNull(
              Objects.requireNonNull(await(one.store.getVersioned(odd, null, ReadCondition.ALWAYS)))
                  .version());
      assertThat(await(one.store.getVersioned(odd, null, ReadCondition.ifMatch(version))))
          .isNotNull();
      assertThat(await(one.store.get(StoreKey.of("missing")))).isNull();
      assertThat(one.server.requests())
          .hasSize(5)
          .noneMatch(AnsweringS3::isOfTheSdk)
          .allMatch(asked -> asked.header("authorization").startsWith("AWS4-HMAC-SHA256 "));
    }
  }

  @Test
  void a_session_token_is_sent_and_shown_in_no_error() {
    S3Store store = s3.bucket().credentials("key", "s3cret", "t0ken").open();
    await(store.get(KEY));
    assertThat(s3.server.requests().get(0).header("x-amz-security-token")).isEqualTo("t0ken");
    assertThat(s3.server.requests().get(0).header("authorization"))
        .contains("x-amz-security-token");
    s3.answers = asked -> error(403, "AccessDenied");
    Throwable error = errorOf(store.get(KEY));
    assertThat(error).isInstanceOf(AccessDeniedException.class);
    for (Throwable each = error; each != null; each = each.getCause()) {
      assertThat(each.toString()).doesNotContain("s3cret").doesNotContain("t0ken");
    }
    await(store.close());
  }

  @Test
  void a_read_whose_credentials_have_expired_is_signed_by_new_ones() {
    AtomicReference<AwsCredentials> now =
        new AtomicReference<>(AwsSessionCredentials.create("OLD", "old", "old"));
    AwsCredentialsProvider provider = now::get;
    S3Store store = s3.bucket().credentials(provider).open();
    await(store.get(KEY));
    now.set(AwsSessionCredentials.create("NEW", "new", "new"));
    s3.answers = asked -> asked.number() == 1 ? error(400, "ExpiredToken") : VALUE;
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(s3.server.requests().get(1).header("authorization")).contains("Credential=OLD/");
    assertThat(s3.server.requests().get(2).header("authorization")).contains("Credential=NEW/");
    assertThat(s3.server.requests()).noneMatch(AnsweringS3::isOfTheSdk);
    await(store.close());
  }

  private static final DateTimeFormatter SIGNED =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private static ServerResponse skewed(Instant there) {
    return error(403, "RequestTimeTooSkewed")
        .with("date", DateTimeFormatter.RFC_1123_DATE_TIME.format(there.atOffset(ZoneOffset.UTC)));
  }

  private static Duration ahead(ReceivedRequest asked) {
    Instant signed = SIGNED.parse(asked.header("x-amz-date"), Instant::from);
    return Duration.between(Instant.now(), signed);
  }

  @Test
  void a_read_that_was_signed_by_a_wrong_clock_is_sent_again_by_the_clock_of_the_server() {
    Duration ahead = Duration.ofDays(3);
    s3.answers = asked -> ahead(asked).toHours() < 71 ? skewed(Instant.now().plus(ahead)) : VALUE;
    S3Store store = s3.bucket().credentials("a", "b").open();
    for (int i = 0; i < 3; i++) {
      assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    }
    assertThat(s3.server.requests()).as("one of them in vain").hasSize(4);
    await(store.close());
  }

  /** Answers so late that all requests which are sent at once were signed before the answers. */
  private void isBehind(ServerResponse right) {
    Duration ahead = Duration.ofHours(-5);
    s3.server.misbehave(Fault.delay(Duration.ofMillis(200)));
    s3.answers = asked -> ahead(asked).toHours() > -4 ? skewed(Instant.now().plus(ahead)) : right;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reads_at_once_are_all_signed_again(boolean bySdk) {
    isBehind(VALUE);
    S3Store store =
        s3.bucket().credentials("a", "b").with(client -> client.readsBySdk = bySdk).open();
    for (int round = 0; round < 2; round++) {
      assertThat(
              await(
                  Flux.range(0, 16)
                      .flatMap(number -> store.get(StoreKey.of("c/" + number)), 16)
                      .collectList()))
          .hasSize(16)
          .containsOnly(Bytes.utf8("value"));
    }
    assertThat(s3.server.requests()).as("16 of them in vain at most").hasSizeBetween(33, 48);
    await(store.close());
  }

  @Test
  void writes_and_erasures_at_once_are_all_signed_again() {
    isBehind(VALUE);
    S3Store store = s3.bucket().credentials("a", "b").open();
    await(
        Flux.range(0, 16)
            .flatMap(
                number ->
                    number % 2 == 0
                        ? store.set(StoreKey.of("c/" + number), Bytes.utf8("value"))
                        : store.erase(StoreKey.of("c/" + number)),
                16)
            .then());
    assertThat(s3.server.requests()).hasSizeBetween(17, 32);
    await(store.close());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_server_that_always_says_that_the_clock_is_wrong_is_asked_twice(boolean bySdk) {
    s3.answers = asked -> skewed(Instant.now().plus(Duration.ofDays(1 + asked.number())));
    S3Store store =
        s3.bucket().credentials("a", "b").with(client -> client.readsBySdk = bySdk).open();
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("clock");
    assertThat(s3.server.requests()).hasSize(2);
    await(store.close());
  }

  @Test
  void an_error_is_reported_by_its_code_as_the_sdk_does() {
    for (boolean bySdk : List.of(true, false)) {
      S3Store store = s3.bucket().anonymous().with(client -> client.readsBySdk = bySdk).open();
      s3.answers =
          asked -> error(503, "SlowDown").with("retry-after", "7").with("x-amz-request-id", "R1");
      assertThat(errorOf(store.get(KEY)))
          .isInstanceOfSatisfying(
              TransientStoreException.class,
              error -> assertThat(error.retryAfter()).isEqualTo(Duration.ofSeconds(7)))
          .hasMessageContaining("503 SlowDown (request R1)");
      s3.answers = asked -> error(404, "NoSuchBucket");
      assertThat(errorOf(store.get(KEY)))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("404 NoSuchBucket")
          .hasMessageContaining("create the bucket first");
      s3.answers = asked -> error(404, "NoSuchKey");
      assertThat(await(store.get(KEY))).isNull();
      s3.answers = asked -> error(400, "Odd");
      assertThat(errorOf(store.get(KEY)))
          .isExactlyInstanceOf(StoreException.class)
          .hasMessageContaining("400 Odd");
      await(store.close());
    }
  }

  @Test
  void the_encoding_of_an_object_is_a_matter_of_its_reader() {
    Bytes encoded = Bytes.wrap(new byte[] {31, -117, 8, 0, 1, 2, 3});
    s3.answers =
        asked ->
            ServerResponse.of(200, encoded).with("etag", "\"1\"").with("content-encoding", "gzip");
    for (boolean bySdk : List.of(true, false)) {
      S3Store store = s3.bucket().anonymous().with(client -> client.readsBySdk = bySdk).open();
      assertThat(await(store.get(KEY))).isEqualTo(encoded);
      await(store.close());
    }
  }

  @Test
  void not_found_whose_body_is_cut_is_no_missing_value() {
    byte[] error = "<Error><Code>NoSuchBucket</Code></Error>".getBytes();
    s3.answers = asked -> ServerResponse.of(404, Bytes.wrap(error)).with("x-amz-request-id", "1");
    S3Store store = s3.bucket().anonymous().open();
    s3.server.misbehave(Fault.cutAfter(10));
    assertThat(errorOf(store.get(KEY))).isInstanceOf(TransientStoreException.class);
    await(store.close());
  }

  @Test
  void an_error_without_an_end_is_read_up_to_its_bound() {
    byte[] endless = new byte[8 << 20];
    System.arraycopy("<Error><Code>SlowDown</Code>".getBytes(), 0, endless, 0, 28);
    s3.answers = asked -> ServerResponse.of(400, Bytes.wrap(endless));
    S3Store store = s3.bucket().anonymous().open();
    s3.server.misbehave(Fault.stallAfter(1 << 20));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("SlowDown");
    OneValue.eventually(() -> s3.server.underWay() == 0);
    await(store.close());
  }

  @Test
  void checksums_and_a_proxy_leave_the_reads_to_the_sdk() {
    S3Store checked = s3.bucket().anonymous().checksumsWhenSupported(true).open();
    await(checked.get(KEY));
    await(checked.close());
    System.setProperty("https.proxyHost", "nowhere.invalid"); // of another scheme, so not used
    try {
      S3Store proxied = s3.bucket().anonymous().open();
      await(proxied.get(KEY));
      await(proxied.close());
    } finally {
      System.clearProperty("https.proxyHost");
    }
    assertThat(s3.server.requests()).hasSize(2).allMatch(AnsweringS3::isOfTheSdk);
  }

  @Test
  void an_object_whose_path_a_client_may_change_is_read_by_the_sdk() {
    S3Store store = s3.bucket().anonymous().prefix("a//b/..").open();
    await(store.get(KEY));
    assertThat(s3.server.requests()).hasSize(1).allMatch(AnsweringS3::isOfTheSdk);
    assertThat(s3.server.requests().get(0).uri()).isEqualTo("/bucket/a//b/../a/c/0");
    await(store.close());
  }

  @Test
  void reads_at_once_find_their_way_once_and_share_the_connections() {
    S3Store store =
        s3.bucket()
            .endpoint(s3.server.uri().resolve("/base")) // an address that the SDK tells
            .anonymous()
            .connections(4)
            .open();
    s3.server.misbehave(Fault.delay(Duration.ofMillis(10)));
    assertThat(
            Flux.range(0, 100).flatMap(i -> store.get(KEY), 100).count().block(OneValue.PATIENCE))
        .isEqualTo(100);
    assertThat(s3.server.mostUnderWay()).isEqualTo(4);
    assertThat(s3.server.connections()).isLessThanOrEqualTo(4);
    assertThat(s3.sdkClients).hasValue(1);
    assertThat(s3.server.requests()).hasSize(100).noneMatch(AnsweringS3::isOfTheSdk);
    await(store.close());
    OneValue.eventually(() -> s3.server.connections() == 0);
    assertThat(errorOf(store.get(KEY))).hasMessageContaining("was closed");
  }

  static Stream<Fault> a_read_finds_its_value_behind_any_number_of_old_connections_that_close() {
    return Stream.of(Fault.closed(), Fault.reset());
  }

  @ParameterizedTest
  @MethodSource
  void a_read_finds_its_value_behind_any_number_of_old_connections_that_close(Fault end) {
    int old = 4;
    S3Store store = s3.bucket().credentials("key", "secret").open();
    s3.server.misbehave(Fault.together(old));
    await(Flux.range(0, old).flatMap(i -> store.get(KEY), old).then());
    assertThat(s3.server.connections()).isEqualTo(old);
    s3.server.forget();
    s3.server.misbehave(end.times(old));
    assertThat(await(store.get(KEY))).isEqualTo(VALUE.body());
    assertThat(s3.server.requests()).hasSize(old + 1);
    await(store.close());
  }
}
