package dev.zarrreactive.faults;

import static java.util.Comparator.naturalOrder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.testing.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Tests a store whose credentials expire in the middle of reads, and whose service of tokens fails,
 * hangs, or gives what no server takes. A read ends with the value, or with an error that names the
 * service and the key; a service that fails is asked once for each back-off. Extend this class in
 * the tests of a store over a network.
 */
@ExtendWith(NoLeaks.class)
public abstract class CredentialFaults {
  /** The store has so many connections. */
  protected static final int CONNECTIONS = 256;

  private static final StoreKey KEY = StoreKey.of("c/0");
  private static final int TOGETHER = 50;

  /** The shortest back-off of a service that fails. */
  private static final long SHORTEST_MILLIS = 180;

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Bytes VALUE = Bytes.utf8("value");

  private final List<Instant> lookUps = new CopyOnWriteArrayList<>();
  private final Map<String, Instant> expiries = new ConcurrentHashMap<>();
  private final FaultyServer server =
      FaultyServer.of(asked -> Mono.fromSupplier(() -> answer(asked)));
  private volatile boolean refusesAll;
  private @Nullable Store store;

  /** For subclasses. */
  protected CredentialFaults() {}

  /** Returns a store over the server with {@link #CONNECTIONS} connections and no retries. */
  protected abstract Store store(FaultyServer server, CredentialSource source);

  /** Returns the credential of the store's kind with a secret. */
  protected abstract Credential credential(String secret);

  /** Returns the secret that a request was sent with. */
  protected abstract String secretOf(ReceivedRequest asked);

  /** Returns the answer to a request whose credential has expired. */
  protected abstract ServerResponse expired();

  /** Returns the answer to a read. */
  protected ServerResponse found(Bytes value) {
    return ServerResponse.of(200, value).with("etag", "\"1\"");
  }

  @AfterEach
  final void stop() {
    if (store != null) {
      Waiting.await(store.close());
    }
    server.close();
  }

  private Store over(Mono<ExpiringCredential> service) {
    CredentialSource source =
        CredentialSource.of(
            "the vault",
            Mono.defer(
                () -> {
                  lookUps.add(Instant.now());
                  return service;
                }));
    store = store(server, source);
    return store;
  }

  private ExpiringCredential given(Duration life) {
    Instant expiry = Instant.now().plus(life);
    String secret = "s3cret" + lookUps.size();
    expiries.put(secret, expiry);
    return ExpiringCredential.until(expiry, credential(secret));
  }

  /** Refuses what has expired; the newest later, for the machine may pause. */
  private ServerResponse answer(ReceivedRequest asked) {
    String secret = secretOf(asked);
    boolean isNewest = secret.equals("s3cret" + lookUps.size());
    Instant end =
        Objects.requireNonNull(expiries.get(secret), secret)
            .plus(isNewest ? Duration.ofSeconds(10) : Duration.ZERO);
    return !refusesAll && Instant.now().isBefore(end) ? found(VALUE) : expired();
  }

  /**
   * The server and the store have one clock. However slow the machine is, no read fails, since a
   * credential lives four times as long as the oldest read has waited; and a look-up begins in the
   * last quarter of a life or after it.
   */
  @ParameterizedTest
  @CsvSource({"1, 100, 20, 500", "16, 2000, 20, 1000", "250, 3000, 500, 2000"})
  final void a_stream_outlives_its_credentials(
      int concurrency, int chunks, int delayMillis, int lifeMillis) {
    server.misbehave(Fault.delay(Duration.ofMillis(delayMillis)));
    Map<Integer, Instant> begun = new ConcurrentHashMap<>();
    List<Duration> lives = new CopyOnWriteArrayList<>();
    Store store =
        over(
            Mono.fromSupplier(
                () -> {
                  Instant now = Instant.now();
                  Duration oldest =
                      Duration.between(
                          begun.values().stream().min(naturalOrder()).orElse(now), now);
                  Duration life = Duration.ofMillis(Math.max(lifeMillis, 4 * oldest.toMillis()));
                  lives.add(life);
                  return given(life);
                }));
    List<Bytes> read =
        Flux.range(0, chunks)
            .flatMapSequential(
                i ->
                    store
                        .get(StoreKey.of("c/" + i))
                        .doOnSubscribe(subscription -> begun.put(i, Instant.now()))
                        .doOnTerminate(() -> begun.remove(i)),
                concurrency)
            .collectList()
            .block(Waiting.PATIENCE);
    assertThat(read).hasSize(chunks).containsOnly(VALUE);
    assertThat(lookUps).hasSizeGreaterThan(1);
    for (int i = 1; i < lookUps.size(); i++) {
      assertThat(Duration.between(lookUps.get(i - 1), lookUps.get(i)))
          .as("one look-up for each expiry")
          .isGreaterThanOrEqualTo(lives.get(i - 1).multipliedBy(3).dividedBy(4).minusMillis(2));
    }
  }

  /** Reads at once, round after round; returns the errors. */
  private List<Throwable> errors(Store store) {
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    for (int round = 0; round < 4; round++) {
      Flux.range(0, TOGETHER)
          .flatMap(
              i -> store.get(KEY).doOnError(errors::add).onErrorComplete(StoreException.class),
              TOGETHER)
          .blockLast(Waiting.PATIENCE);
    }
    assertThat(errors).hasSize(4 * TOGETHER);
    return errors;
  }

  private void assertNoStorm(Instant begin) {
    long millis = Duration.between(begin, Instant.now()).toMillis();
    assertThat(lookUps)
        .as("look-ups within %d ms", millis)
        .hasSizeLessThanOrEqualTo((int) (2 + millis / SHORTEST_MILLIS));
  }

  private static void becomesWell(Store store) {
    assertThat(
            store
                .get(KEY)
                .onErrorComplete()
                .repeatWhenEmpty(tries -> tries.delayElements(Duration.ofMillis(50)))
                .block(Waiting.PATIENCE))
        .isEqualTo(VALUE);
  }

  @Test
  final void a_service_that_is_down_is_asked_once_for_each_back_off() {
    AtomicInteger down = new AtomicInteger(1);
    Store store =
        over(
            Mono.defer(
                () ->
                    down.get() == 1
                        ? Mono.error(new IOException("503 Service Unavailable"))
                        : Mono.just(given(HOUR))));
    Instant begin = Instant.now();
    assertThat(errors(store))
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(TransientStoreException.class)
                    .hasMessageContaining("no credential from the vault: 503 Service Unavailable")
                    .hasMessageContaining("key c/0"));
    assertNoStorm(begin);
    assertThat(server.requests()).isEmpty();
    down.set(0);
    becomesWell(store);
  }

  @Test
  final void credentials_that_have_expired_when_they_are_given_are_told() {
    AtomicInteger late = new AtomicInteger(1);
    Store store =
        over(Mono.fromSupplier(() -> given(late.get() == 1 ? Duration.ofSeconds(-1) : HOUR)));
    Instant begin = Instant.now();
    assertThat(errors(store))
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(TransientStoreException.class)
                    .hasMessageContaining(
                        "no credential from the vault: it gave one that has expired")
                    .hasMessageContaining("key c/0")
                    .hasMessageNotContaining("s3cret"));
    assertNoStorm(begin);
    assertThat(server.requests()).isEmpty();
    late.set(0);
    becomesWell(store);
  }

  @Test
  final void a_server_that_refuses_every_credential_makes_no_storm_of_look_ups() {
    refusesAll = true;
    Store store = over(Mono.fromSupplier(() -> given(HOUR)));
    Instant begin = Instant.now();
    assertThat(errors(store))
        .allSatisfy(
            error ->
                assertThat(error)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("the credential of the vault")
                    .hasMessageContaining("key c/0")
                    .hasMessageNotContaining("s3cret"));
    assertNoStorm(begin);
    refusesAll = false;
    becomesWell(store);
  }

  @Test
  final void a_service_that_hangs_lets_reads_wait_and_the_last_cancel_ends_its_look_up() {
    AtomicInteger cancelled = new AtomicInteger();
    AtomicInteger hangs = new AtomicInteger(1);
    Store store =
        over(
            Mono.defer(
                () ->
                    hangs.get() == 1
                        ? Mono.<ExpiringCredential>never().doOnCancel(cancelled::incrementAndGet)
                        : Mono.just(given(HOUR))));
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    List<Disposable> reads = new ArrayList<>();
    for (int i = 0; i < TOGETHER; i++) {
      reads.add(store.get(KEY).subscribe(value -> {}, errors::add));
    }
    Waiting.eventually("a look-up", () -> lookUps.size() == 1);
    reads.subList(1, TOGETHER).forEach(Disposable::dispose);
    assertThat(cancelled).hasValue(0);
    hangs.set(0);
    reads.get(0).dispose();
    Waiting.eventually("the cancel", () -> cancelled.get() == 1);
    assertThat(errors).isEmpty();
    assertThat(lookUps).hasSize(1);
    assertThat(Waiting.await(store.get(KEY))).isEqualTo(VALUE);
    assertThat(lookUps).hasSize(2);
  }

  /** A renewal that hangs holds up the read that began it, and no other one. */
  @Test
  final void reads_go_on_with_the_old_credential_while_its_renewal_hangs() {
    Sinks.One<ExpiringCredential> second = Sinks.one();
    Store store =
        over(
            Mono.defer(
                () -> {
                  if (lookUps.size() == 2) {
                    return second.asMono();
                  }
                  return Mono.just(given(HOUR).renewedAfter(Instant.now()));
                }));
    assertThat(Waiting.await(store.get(KEY))).isEqualTo(VALUE);
    AtomicInteger ended = new AtomicInteger();
    List<Throwable> errors = new CopyOnWriteArrayList<>();
    AtomicInteger begun = new AtomicInteger();
    while (lookUps.size() < 2) {
      begun.incrementAndGet();
      store.get(KEY).subscribe(value -> ended.incrementAndGet(), errors::add);
      Waiting.await(Mono.delay(Duration.ofMillis(20)));
    }
    for (int i = 0; i < 5; i++) {
      assertThat(Waiting.await(store.get(KEY))).isEqualTo(VALUE);
    }
    if (lookUps.size() == 2) { // the store itself ends a look-up after half a minute
      assertThat(ended).hasValueLessThan(begun.get());
    }
    second.tryEmitError(new IOException("504 Gateway Timeout"));
    Waiting.eventually("the read that began the renewal", () -> ended.get() == begun.get());
    assertThat(errors).isEmpty();
  }
}
