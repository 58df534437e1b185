package dev.zarrreactive.gcs;

import static dev.zarrreactive.gcs.GcsWritesTest.random;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Tokens that expire in the middle of writes. */
@ExtendWith(NoLeaks.class)
class GcsRenewalTest {
  private static final int PART = 256 << 10;

  private final AtomicInteger lookUps = new AtomicInteger();
  private final XmlApiServer google = XmlApiServer.start();
  private final String bucket = google.newBucket();
  private final FaultyServer server = FaultyServer.before(google.uri());

  @AfterEach
  void close() {
    server.close();
    google.close();
  }

  private CredentialSource tokens() {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () ->
                ExpiringCredential.until(
                    Instant.now().plus(Duration.ofHours(1)),
                    Credential.bearer("t0ken-" + lookUps.incrementAndGet()))));
  }

  private GcsStoreBuilder at(CredentialSource source) {
    return GcsStore.at(bucket).endpoint(server.uri()).credentials(source);
  }

  @Test
  void a_write_whose_token_has_expired_is_sent_again_with_a_new_one() {
    google.accept(given -> given.equals("Bearer t0ken-2"));
    GcsStore store = at(tokens()).partSize(PART).open();
    Bytes value = random(2 * PART, 1);
    await(store.set(StoreKey.of("a"), value, Precondition.ABSENT));
    assertThat(await(store.get(StoreKey.of("a")))).isEqualTo(value);
    assertThat(lookUps).hasValue(2);
    await(store.close());
  }
}
