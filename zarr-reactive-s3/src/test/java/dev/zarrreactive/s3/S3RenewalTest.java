package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.AnsweringS3.VALUE;
import static dev.zarrreactive.s3.AnsweringS3.error;
import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keys that expire in the middle of a read, by the SDK and without it. */
@ExtendWith(NoLeaks.class)
class S3RenewalTest {
  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final Map<String, Instant> expiries = new ConcurrentHashMap<>();
  private final AnsweringS3 s3 = new AnsweringS3(this::answer);

  @AfterEach
  void close() {
    s3.close();
  }

  private CredentialSource keys(Duration life) {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () -> {
              lookUps.add(Instant.now());
              String token = "t0ken-" + lookUps.size();
              Instant expiry = Instant.now().plus(life);
              expiries.put(token, expiry);
              return ExpiringCredential.until(
                  expiry, new Credential.AwsKeys("KEY" + lookUps.size(), "s3cret", token));
            }));
  }

  /** Refuses keys that have expired; the newest ones later, for the machine may pause. */
  private ServerResponse answer(ReceivedRequest asked) {
    String token = String.valueOf(asked.header("x-amz-security-token"));
    boolean isNewest = token.equals("t0ken-" + lookUps.size());
    Instant end = expiries.get(token).plus(isNewest ? Duration.ofSeconds(10) : Duration.ZERO);
    return Instant.now().isBefore(end) ? VALUE : error(400, "ExpiredToken");
  }

  @Test
  void a_stream_of_the_sdk_outlives_its_keys() {
    Duration life = Duration.ofMillis(500);
    s3.server.misbehave(Fault.delay(Duration.ofMillis(20)));
    S3Store store =
        s3.bucket()
            .connections(256)
            .with(client -> client.readsBySdk = true)
            .credentials(keys(life))
            .open();
    List<Bytes> read =
        Flux.range(0, 2000)
            .flatMapSequential(i -> store.get(StoreKey.of("c/" + i)), 16)
            .collectList()
            .block(OneValue.PATIENCE);
    assertThat(read).hasSize(2000).containsOnly(Bytes.utf8("value"));
    assertThat(lookUps).hasSizeGreaterThanOrEqualTo(3);
    for (int i = 1; i < lookUps.size(); i++) {
      assertThat(Duration.between(lookUps.get(i - 1), lookUps.get(i)))
          .isGreaterThanOrEqualTo(life.multipliedBy(3).dividedBy(4).minusMillis(2));
    }
    await(store.close());
  }

  /** By the codes of Amazon and of MinIO. */
  @ParameterizedTest
  @CsvSource({"400, ExpiredToken", "400, InvalidToken", "403, InvalidTokenId"})
  void a_write_whose_keys_are_not_valid_any_more_is_sent_again_with_new_ones(
      int status, String code) {
    S3Store store = s3.bucket().credentials(keys(Duration.ofHours(1))).open();
    s3.answers =
        asked ->
            asked.header("x-amz-security-token").equals("t0ken-1") ? error(status, code) : VALUE;
    await(store.set(KEY, Bytes.utf8("value")));
    assertThat(s3.server.requests())
        .extracting(asked -> asked.header("x-amz-security-token"))
        .containsExactly("t0ken-1", "t0ken-2");
    await(store.close());
  }

  @Test
  void a_forbidden_object_is_asked_for_once_and_the_error_names_the_source() {
    S3Store store = s3.bucket().credentials(keys(Duration.ofHours(1))).open();
    s3.answers = asked -> error(403, "AccessDenied");
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("403 AccessDenied")
        .hasMessageContaining("the credential of the vault")
        .hasMessageNotContaining("s3cret")
        .hasMessageNotContaining("t0ken");
    assertThat(s3.server.requests()).hasSize(1);
    assertThat(lookUps).hasSize(1);
    await(store.close());
  }

  @Test
  void an_anonymous_source_signs_nothing() {
    s3.answers =
        asked -> asked.header("authorization") == null ? VALUE : error(403, "AccessDenied");
    S3Store store = s3.bucket().credentials(CredentialSource.fixed(Credential.anonymous())).open();
    assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8("value"));
    await(store.close());
  }

  @Test
  void a_bucket_is_public_or_has_one_kind_of_credentials() {
    S3StoreBuilder builder =
        s3.bucket().credentials(CredentialSource.fixed(Credential.anonymous()));
    assertThat(errorOf(Mono.fromCallable(() -> builder.profile("other").open())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("exclude a profile");
  }
}
