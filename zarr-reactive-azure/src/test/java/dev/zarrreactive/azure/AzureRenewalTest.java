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
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shared access signatures that end in the middle of reads, which the server checks. */
@ExtendWith(NoLeaks.class)
class AzureRenewalTest {
  private static final int CHUNKS = 2000;
  private static final int KEYS = 50;

  private final Azurite azure = Azurite.shared();
  private final String container = azure.newContainer();
  private final List<Instant> expiries = new CopyOnWriteArrayList<>();

  /** Signs with the key of the account, as a service of tokens does. */
  private CredentialSource signatures(Duration life) {
    return CredentialSource.of(
        "the vault",
        Mono.fromSupplier(
            () -> {
              Instant expiry = Instant.now().plus(life).truncatedTo(ChronoUnit.SECONDS);
              expiries.add(expiry);
              return ExpiringCredential.until(
                  expiry, new Credential.Query(Signatures.ofContainer(container, "rwdl", expiry)));
            }));
  }

  private AzureStoreBuilder at(FaultyServer server, CredentialSource source) {
    return AzureStore.at(ConnectionString.EMULATED, container)
        .endpoint(server.uri().resolve("/" + ConnectionString.EMULATED))
        .credentials(source);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 128})
  void a_stream_outlives_its_signatures(int concurrency) {
    for (int i = 0; i < KEYS; i++) {
      azure.put(container, "c/" + i, new byte[] {7});
    }
    int chunks = concurrency == 1 ? CHUNKS / 20 : CHUNKS;
    try (FaultyServer server = FaultyServer.before(azure.server())) {
      server.misbehave(Fault.delay(Duration.ofMillis(20)));
      AzureStore store = at(server, signatures(Duration.ofSeconds(2))).open();
      List<Bytes> read =
          Flux.range(0, chunks)
              .flatMapSequential(i -> store.get(StoreKey.of("c/" + i % KEYS)), concurrency)
              .collectList()
              .block(Waiting.PATIENCE);
      assertThat(read).hasSize(chunks).containsOnly(Bytes.wrap(new byte[] {7}));
      assertThat(expiries).hasSizeGreaterThan(1);
      assertThat(expiries).as("one look-up for each expiry").doesNotHaveDuplicates();
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
