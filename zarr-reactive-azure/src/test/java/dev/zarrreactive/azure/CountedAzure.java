package dev.zarrreactive.azure;

import static dev.zarrreactive.azure.InContainer.await;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import reactor.netty.resources.ConnectionPoolMetrics;
import reactor.netty.resources.ConnectionProvider;

/** A store in a container with counted connections. */
final class CountedAzure implements Connected, ConnectionProvider.MeterRegistrar {
  private final List<ConnectionPoolMetrics> pools = new CopyOnWriteArrayList<>();
  private final AzureStore store;

  CountedAzure(
      FaultyServer server,
      String container,
      Duration stallTimeout,
      UnaryOperator<AzureStoreBuilder> settings) {
    this.store =
        settings
            .apply(
                AzureStore.at(ConnectionString.EMULATED, container)
                    .endpoint(server.uri().resolve("/" + ConnectionString.EMULATED))
                    .anonymous()
                    .stallTimeout(stallTimeout)
                    .counter(this))
            .open();
  }

  @Override
  public void registerMetrics(
      String name, String id, SocketAddress remote, ConnectionPoolMetrics metrics) {
    pools.add(metrics);
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public int busyConnections() {
    return pools.stream().mapToInt(pool -> pool.acquiredSize() + pool.pendingAcquireSize()).sum();
  }

  @Override
  public void close() {
    await(store.close());
  }
}
