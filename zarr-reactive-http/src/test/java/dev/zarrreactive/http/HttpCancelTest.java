package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionPoolMetrics;
import reactor.netty.resources.ConnectionProvider;

/** A cancel ends the request, and leaves the pool empty. */
@ExtendWith(NoLeaks.class)
class HttpCancelTest {
  private final List<ConnectionPoolMetrics> pools = new CopyOnWriteArrayList<>();

  private ConnectionProvider counted() {
    return ConnectionProvider.builder("counted")
        .maxConnections(8)
        .pendingAcquireMaxCount(-1)
        .metrics(true, () -> new Registrar(pools))
        .build();
  }

  private record Registrar(List<ConnectionPoolMetrics> pools)
      implements ConnectionProvider.MeterRegistrar {
    @Override
    public void registerMetrics(
        String name, String id, SocketAddress remote, ConnectionPoolMetrics metrics) {
      pools.add(metrics);
    }
  }

  @Test
  void the_pool_is_empty_after_cancels_errors_and_values() {
    ConnectionProvider provider = counted();
    HttpClient client = HttpClient.create(provider);
    try (Served served =
        new Served(
            200_000,
            false,
            settings -> settings.client(client).stallTimeout(Duration.ofMillis(300)))) {
      List<Fault> faults =
          List.of(
              Fault.NONE,
              Fault.delay(Duration.ofMillis(20)),
              Fault.cutAfter(70_000),
              Fault.resetAfter(70_000),
              Fault.stallAfter(70_000),
              Fault.status(503, null),
              Fault.status(404, null),
              Fault.contentRange("bytes 1-2/3"),
              Fault.ignoreRange(),
              Fault.header("content-encoding", "gzip"));
      for (Fault fault : faults) {
        served.server.misbehave(fault);
        Mono<Void> reads =
            Flux.range(0, 20).flatMap(i -> served.store.get(KEY).onErrorComplete(), 20).then();
        for (int millis : new int[] {0, 1, 5, 15}) {
          reads.timeout(Duration.ofMillis(millis)).onErrorComplete().block(Served.PATIENCE);
        }
        reads.block(Served.PATIENCE);
      }
      assertThat(pools).isNotEmpty();
      eventually(
          () ->
              pools.stream()
                  .allMatch(pool -> pool.acquiredSize() == 0 && pool.pendingAcquireSize() == 0));
      eventually(() -> served.server.underWay() == 0);
      served.server.misbehave(Fault.NONE);
      assertThat(await(served.store.get(KEY).retry(20))).isEqualTo(served.value);
    } finally {
      provider.disposeLater().block(Served.PATIENCE);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_cancelled_request_ends_at_the_server(boolean http2) {
    try (Served served =
        new Served(200_000, http2, settings -> settings.stallTimeout(Duration.ofMinutes(10)))) {
      assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
      for (Fault fault : List.of(Fault.stallAfter(50_000), Fault.silence())) {
        served.server.misbehave(fault);
        Disposable read = served.store.get(KEY).subscribe();
        eventually(() -> served.server.underWay() == 1);
        read.dispose();
        eventually(() -> served.server.underWay() == 0); // long before the stall timeout
      }
      eventually(() -> served.server.connections() == (http2 ? 1 : 0));
    }
  }

  @Test
  void a_store_that_is_closed_has_no_connections_and_says_so() {
    try (Served served = new Served(1000, false)) {
      assertThat(await(served.store.get(KEY))).isEqualTo(served.value);
      assertThat(served.server.connections()).isEqualTo(1);
      await(served.store.close());
      eventually(() -> served.server.connections() == 0);
      assertThat(Waiting.errorOf(served.store.get(KEY))).hasMessageContaining("was closed");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_store_that_is_closed_while_it_connects_has_no_connections(boolean http2) {
    for (int i = 0; i < 50; i++) {
      try (Served served = new Served(1000, http2)) {
        await(Flux.range(0, 3).flatMap(each -> served.store.get(KEY)).next());
        await(served.store.close());
        eventually(() -> served.server.connections() == 0);
      }
    }
  }

  @Test
  void a_connection_is_used_again_after_missing_values_and_errors() {
    Set<Object> connections = ConcurrentHashMap.newKeySet();
    MemoryStore values = MemoryStore.create();
    values.set(KEY, Bytes.wrap(new byte[60_000])).block();
    try (FaultyServer server =
        FaultyServer.of(
            values, settings -> settings.doOnConnection(c -> connections.add(c.channel().id())))) {
      HttpStore store = HttpStore.at(server.uri()).connections(1).open();
      for (Fault fault :
          List.of(
              Fault.NONE,
              Fault.status(404, null),
              Fault.status(403, null),
              Fault.status(503, null),
              Fault.status(416, null),
              Fault.NONE)) {
        server.misbehave(fault);
        await(store.get(KEY).onErrorComplete());
      }
      assertThat(connections).hasSize(1);
      await(store.close());
    }
  }

  static void eventually(BooleanSupplier condition) {
    long end = System.nanoTime() + Served.PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(200_000);
    }
  }
}
