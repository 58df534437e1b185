package dev.zarrreactive.gcs;

import static dev.zarrreactive.gcs.GcsWritesTest.random;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
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

/** Tokens that expire in the middle of reads and writes. */
@ExtendWith(NoLeaks.class)
class GcsRenewalTest {
  private static final int PART = 256 << 10;
  private static final int CHUNKS = 2000;

  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final Map<String, Instant> expiries = new ConcurrentHashMap<>();
  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();
  private final FaultyServer server = FaultyServer.before(google.uri());

  @AfterEach
  void close() {
    server.close();
    google.close();
  }

  private CredentialSource tokens(Duration life) {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () -> {
              lookUps.add(Instant.now());
              String token = "t0ken-" + lookUps.size();
              Instant expiry = Instant.now().plus(life);
              expiries.put("Bearer " + token, expiry);
              return ExpiringCredential.until(expiry, Credential.bearer(token));
            }));
  }

  /** Refuses tokens that have expired; the newest one later, for the machine may pause. */
  private boolean isValid(String given) {
    boolean isNewest = given.equals("Bearer t0ken-" + lookUps.size());
    Instant end = expiries.get(given).plus(isNewest ? Duration.ofSeconds(10) : Duration.ZERO);
    return Instant.now().isBefore(end);
  }

  private GcsStoreBuilder at(CredentialSource source) {
    return GcsStore.at(bucket).endpoint(server.uri()).credentials(source);
  }

  @ParameterizedTest
  @CsvSource({"1, 100, 20, 500", "16, 2000, 20, 1000", "250, 12000, 20, 1000"})
  void a_stream_outlives_its_tokens(int concurrency, int chunks, int delayMillis, int lifeMillis) {
    google.accept(this::isValid);
    for (int i = 0; i < CHUNKS; i++) {
      google.put(bucket, "c/" + i, new byte[] {7});
    }
    Duration life = Duration.ofMillis(lifeMillis);
    google.delayBy(Duration.ofMillis(delayMillis));
    GcsStore store = google.at(bucket).credentials(tokens(life)).connections(256).open();
    List<Bytes> read =
        Flux.range(0, chunks)
            .flatMapSequential(i -> store.get(StoreKey.of("c/" + i % CHUNKS)), concurrency)
            .collectList()
            .block(Waiting.PATIENCE);
    assertThat(read).hasSize(chunks).containsOnly(Bytes.wrap(new byte[] {7}));
    assertThat(lookUps).hasSizeGreaterThanOrEqualTo(2);
    for (int i = 1; i < lookUps.size(); i++) {
      assertThat(Duration.between(lookUps.get(i - 1), lookUps.get(i)))
          .isGreaterThanOrEqualTo(life.multipliedBy(3).dividedBy(4).minusMillis(2));
    }
    await(store.close());
  }

  @Test
  void a_write_whose_token_has_expired_is_sent_again_with_a_new_one() {
    google.accept(given -> given.equals("Bearer t0ken-2"));
    GcsStore store = at(tokens(Duration.ofHours(1))).partSize(PART).open();
    Bytes value = random(2 * PART, 1);
    await(store.set(StoreKey.of("a"), value, Precondition.ABSENT));
    assertThat(await(store.get(StoreKey.of("a")))).isEqualTo(value);
    assertThat(lookUps).hasSize(2);
    await(store.close());
  }

  @Test
  void a_service_of_tokens_that_is_down_is_asked_once_and_not_by_every_request() {
    CredentialSource down =
        CredentialSource.of(
            "the vault",
            Mono.defer(
                () -> {
                  lookUps.add(Instant.now());
                  return Mono.error(new IOException("503"));
                }));
    GcsStore store = at(down).open();
    for (int i = 0; i < 20; i++) {
      assertThat(errorOf(store.get(StoreKey.of("a"))))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("no credential from the vault")
          .hasMessageContaining("key a");
    }
    assertThat(lookUps).hasSizeLessThan(4);
    assertThat(server.requests()).isEmpty();
    await(store.close());
  }
}
