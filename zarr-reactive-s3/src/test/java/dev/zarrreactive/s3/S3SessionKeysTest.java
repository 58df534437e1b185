package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keys of sessions that a real server gives out, such as MinIO; see {@link RealServer}. */
@EnabledIfSystemProperty(
    named = RealServer.ENDPOINT,
    matches = ".+",
    disabledReason = "no server of S3 was named")
class S3SessionKeysTest {
  private static final int CHUNKS = 500;
  private static final Duration LIFE = Duration.ofSeconds(1);

  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final List<Credential.AwsKeys> given = new CopyOnWriteArrayList<>();
  private final String bucket = RealServer.bucket();

  @BeforeEach
  void hasSessions() {
    assumeTrue(
        SessionKeys.keys().onErrorComplete().blockOptional().isPresent(),
        "skipped: the server has no AssumeRole");
  }

  private S3Store store(BiFunction<Integer, Credential.AwsKeys, ExpiringCredential> made) {
    CredentialSource source =
        CredentialSource.of(
            "the session service",
            Mono.defer(
                () -> {
                  lookUps.add(Instant.now());
                  return SessionKeys.keys()
                      .map(
                          keys -> {
                            given.add(keys);
                            return made.apply(given.size(), keys);
                          });
                }));
    return RealServer.unsigned(bucket).credentials(source).open();
  }

  private static StoreKey key(int i) {
    return StoreKey.of("c/" + i);
  }

  /** Each round writes by the SDK and reads by our own requests, until there were four sessions. */
  @Test
  void a_stream_of_writes_and_reads_outlives_its_sessions() {
    S3Store store = store((i, keys) -> ExpiringCredential.until(Instant.now().plus(LIFE), keys));
    int round = 0;
    while (round == 0 || lookUps.size() < 4) {
      String text = "round " + round++ + ", chunk ";
      List<Bytes> read =
          Flux.range(0, CHUNKS)
              .flatMapSequential(
                  i ->
                      store
                          .set(key(i), Bytes.utf8(text + i))
                          .then(Mono.defer(() -> store.get(key(i)))),
                  16)
              .collectList()
              .block(OneValue.PATIENCE);
      assertThat(read)
          .isEqualTo(IntStream.range(0, CHUNKS).mapToObj(i -> Bytes.utf8(text + i)).toList());
    }
    assertThat(given).doesNotHaveDuplicates().hasSameSizeAs(lookUps);
    for (int i = 1; i < lookUps.size(); i++) {
      assertThat(Duration.between(lookUps.get(i - 1), lookUps.get(i)))
          .isGreaterThanOrEqualTo(LIFE.multipliedBy(3).dividedBy(4).minusMillis(2));
    }
    await(store.close());
  }

  private static Credential.AwsKeys withBrokenToken(Credential.AwsKeys keys) {
    return new Credential.AwsKeys(keys.accessKey(), keys.secretKey(), "br0ken.t0ken.x");
  }

  @Test
  void a_session_that_the_server_does_not_know_any_more_is_renewed_after_the_refusal() {
    S3Store store =
        store((i, keys) -> ExpiringCredential.lasting(i == 1 ? withBrokenToken(keys) : keys));
    await(store.set(KEY, Bytes.utf8("value")));
    assertThat(lookUps).hasSize(2);
    S3Store reading =
        store((i, keys) -> ExpiringCredential.lasting(i == 3 ? withBrokenToken(keys) : keys));
    assertThat(await(reading.get(KEY))).isEqualTo(Bytes.utf8("value"));
    assertThat(lookUps).hasSize(4);
    await(store.close());
    await(reading.close());
  }

  @Test
  void sessions_that_the_server_never_knew_are_an_error_that_names_the_source() {
    S3Store store = store((i, keys) -> ExpiringCredential.lasting(withBrokenToken(keys)));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("the credential of the session service")
        .hasMessageContaining("the session token is not valid")
        .hasMessageNotContaining("br0ken")
        .hasMessageNotContaining(given.get(0).secretKey());
    await(store.close());
  }
}
