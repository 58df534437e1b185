package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.testing.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shared access signatures that end in the middle of reads, and of writes. */
@ExtendWith(NoLeaks.class)
class AzureRenewalTest {
  private static final int KEYS = 50;

  private final Azurite azure = Azurite.shared();
  private final String container = azure.newContainer();
  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final Map<String, Instant> expiries = new ConcurrentHashMap<>();

  /** The last signature that was given out. */
  private volatile String newest = "";

  /**
   * Signs with the key of the account, as a service of tokens does. The emulator takes a signature
   * for longer than the source tells: a server before it checks that.
   */
  private CredentialSource signatures(Duration life) {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () -> {
              Instant now = Instant.now();
              lookUps.add(now);
              String query =
                  Signatures.ofContainer(
                      container, "rwdl", now.plusSeconds(600L + lookUps.size())); // each another
              expiries.put(signature(query), now.plus(life));
              newest = signature(query);
              return ExpiringCredential.until(now.plus(life), new Credential.Query(query));
            }));
  }

  private static String signature(String query) {
    return query.replaceFirst(".*sig=", "").replaceFirst("&.*", "");
  }

  /** Refuses signatures that have expired; the newest one later, for the machine may pause. */
  private boolean hasExpired(String uri) {
    String signature = signature(uri);
    Duration grace = signature.equals(newest) ? Duration.ofSeconds(10) : Duration.ZERO;
    return !Instant.now().isBefore(expiries.get(signature).plus(grace));
  }

  private AzureStoreBuilder at(FaultyServer server, CredentialSource source) {
    return AzureStore.at(ConnectionString.EMULATED, container)
        .endpoint(server.uri().resolve("/" + ConnectionString.EMULATED))
        .credentials(source);
  }

  @ParameterizedTest
  @CsvSource({"16, 2000, 1000", "128, 4000, 500"})
  void a_stream_outlives_its_signatures(int concurrency, int chunks, int lifeMillis) {
    for (int i = 0; i < KEYS; i++) {
      azure.put(container, "c/" + i, new byte[] {7});
    }
    Duration life = Duration.ofMillis(lifeMillis);
    try (FaultyServer server = FaultyServer.before(azure.server())) {
      server.misbehave(
          Fault.delay(Duration.ofMillis(20))
              .and(Fault.status(403, null).where(asked -> hasExpired(asked.uri()))));
      AzureStore store = at(server, signatures(life)).connections(128).open();
      List<Bytes> read =
          Flux.range(0, chunks)
              .flatMapSequential(i -> store.get(StoreKey.of("c/" + i % KEYS)), concurrency)
              .collectList()
              .block(Waiting.PATIENCE);
      assertThat(read).hasSize(chunks).containsOnly(Bytes.wrap(new byte[] {7}));
      assertThat(lookUps).hasSizeGreaterThan(1);
      for (int i = 1; i < lookUps.size(); i++) {
        assertThat(Duration.between(lookUps.get(i - 1), lookUps.get(i)))
            .as("one look-up for each expiry")
            .isGreaterThanOrEqualTo(life.multipliedBy(3).dividedBy(4).minusMillis(2));
      }
      await(store.close());
    }
  }

  /** The code is that of the service; Azurite says AuthorizationFailure of an ended signature. */
  @Test
  void a_write_whose_signature_has_ended_is_sent_again_with_a_new_one() {
    AtomicInteger given = new AtomicInteger();
    CredentialSource numbered =
        CredentialSource.of(
            "the vault",
            Mono.fromSupplier(
                () ->
                    ExpiringCredential.lasting(
                        new Credential.Query("sig=" + given.incrementAndGet()))));
    ServerResponse ended =
        ServerResponse.of(403, Bytes.EMPTY).with("x-ms-error-code", "AuthenticationFailed");
    try (FaultyServer server =
        FaultyServer.of(
            asked ->
                Mono.just(
                    asked.uri().endsWith("sig=1") ? ended : ServerResponse.of(201, Bytes.EMPTY)))) {
      AzureStore store = at(server, numbered).open();
      await(store.set(StoreKey.of("a"), Bytes.utf8("x")));
      assertThat(given).hasValue(2);
      assertThat(server.requests()).hasSize(2);
      await(store.close());
    }
  }
}
