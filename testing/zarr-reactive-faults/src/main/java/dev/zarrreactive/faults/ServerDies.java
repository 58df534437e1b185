package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A server that dies under many reads and comes back: each read ends with the right bytes or a
 * transient error, and none hangs. With the default options each ends right where the server is
 * back after two seconds. Extend it in the tests of a store over a network.
 */
@ExtendWith(NoLeaks.class)
public abstract class ServerDies {
  private static final int STREAMS = 32;
  private static final int READS = 12;

  /** The most time of one read, with its attempts. */
  private static final Duration DEADLINE = Duration.ofSeconds(15);

  private static final String KEY = "server-dies/c/0";

  /** The reads that are under way at a time by a client with the default options. */
  private static final int AT_A_TIME = 64;

  private static final int MANY_READS = 800;

  private static final String SMALL_KEY = "server-dies/c/1";

  /** For subclasses. */
  protected ServerDies() {}

  /** Stores a value for {@link #serve}. Blocks. */
  protected abstract void seed(String key, Bytes value);

  /** Starts a new server of the stored value. */
  protected abstract FaultyServer serve();

  /** Returns a store over a server with a stall timeout of two seconds. */
  protected abstract Connected connect(FaultyServer server);

  @Test
  final void every_read_ends_right_or_transient_and_none_hangs() throws Exception {
    byte[] random = new byte[300_000];
    new Random(1).nextBytes(random);
    Bytes value = Bytes.wrap(random);
    seed(KEY, value);
    try (FaultyServer server = serve();
        Connected connected = connect(server)) {
      server.misbehave(Fault.delay(Duration.ofMillis(20)));
      CompletableFuture<List<Boolean>> all = reads(connected.store(), value).toFuture();
      FaultTrial.eventually(
          "too few requests", Duration.ofSeconds(60), () -> server.requests().size() > 2 * STREAMS);
      server.stop();
      TimeUnit.MILLISECONDS.sleep(500);
      server.restart();
      assertThat(all.get(60 + READS * DEADLINE.toSeconds(), TimeUnit.SECONDS))
          .hasSizeBetween(STREAMS, STREAMS * READS) // an error ends its stream
          .containsOnly(true);
      assertThat(read(connected.store()).block(Duration.ofSeconds(60)))
          .as("a read when it is back")
          .isEqualTo(value);
      FaultTrial.eventually(
          "busy connections", Duration.ofSeconds(60), () -> connected.busyConnections() == 0);
    }
  }

  @Test
  final void many_reads_with_the_default_options_survive_a_restart_of_two_seconds()
      throws Exception {
    Bytes value = small();
    try (FaultyServer server = serve();
        Connected connected = connect(server)) {
      server.misbehave(Fault.delay(Duration.ofMillis(20)));
      CompletableFuture<List<Boolean>> all =
          readMany(byDefault(connected)).map(value::equals).collectList().toFuture();
      FaultTrial.eventually(
          "too few requests",
          Duration.ofSeconds(60),
          () -> server.requests().size() > 2 * AT_A_TIME);
      server.stop(); // resets what is under way
      TimeUnit.SECONDS.sleep(2);
      assertThat(all).as("reads during the restart").isNotDone();
      server.restart();
      assertThat(all.get(2, TimeUnit.MINUTES)).hasSize(MANY_READS).containsOnly(true);
      FaultTrial.eventually(
          "busy connections", Duration.ofSeconds(60), () -> connected.busyConnections() == 0);
    }
  }

  @Test
  final void many_reads_of_a_server_that_stays_down_end_in_a_located_error() {
    small();
    try (FaultyServer server = serve();
        Connected connected = connect(server)) {
      Store store = byDefault(connected);
      assertThat(store.get(StoreKey.of(SMALL_KEY)).block(Duration.ofMinutes(1))).isNotNull();
      server.stop();
      assertThatThrownBy(() -> readMany(store).blockLast(Duration.ofMinutes(1)))
          .isInstanceOf(TransientStoreException.class)
          .hasMessageContaining("connection refused")
          .hasMessageContaining("key " + SMALL_KEY);
      FaultTrial.eventually(
          "busy connections", Duration.ofSeconds(60), () -> connected.busyConnections() == 0);
    }
  }

  private Bytes small() {
    byte[] random = new byte[10_000];
    new Random(2).nextBytes(random);
    Bytes value = Bytes.wrap(random);
    seed(SMALL_KEY, value);
    return value;
  }

  /** Returns the store as a URL opens it. */
  private static Store byDefault(Connected connected) {
    return Stores.stack(connected.store())
        .limit(RequestLimit.adaptive(AT_A_TIME))
        .retry(RetryOptions.defaults())
        .build();
  }

  private static Flux<Bytes> readMany(Store store) {
    return Flux.range(0, MANY_READS)
        .flatMap(number -> store.get(StoreKey.of(SMALL_KEY)), AT_A_TIME);
  }

  private static Store retrying(Store plain) {
    return Stores.retrying(plain, RetryOptions.defaults().withBudget(1000).withDeadline(DEADLINE));
  }

  private static Mono<Bytes> read(Store plain) {
    return retrying(plain).get(StoreKey.of(KEY));
  }

  private static Mono<List<Boolean>> reads(Store plain, Bytes value) {
    Store store = retrying(plain);
    return Flux.range(0, STREAMS)
        .flatMap(
            stream ->
                Flux.range(0, READS)
                    .concatMap(read -> store.get(StoreKey.of(KEY)))
                    .map(value::equals)
                    .onErrorReturn(TransientStoreException.class, true),
            STREAMS)
        .collectList();
  }
}
