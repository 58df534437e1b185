package dev.zarrreactive.gcs;

import static dev.zarrreactive.gcs.InBucket.await;

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

/** A store in a bucket with counted connections. */
final class CountedGcs implements Connected, ConnectionProvider.MeterRegistrar {
  private final List<ConnectionPoolMetrics> pools = new CopyOnWriteArrayList<>();
  private final GcsStore store;

  CountedGcs(
      FaultyServer server,
      String bucket,
      Duration stallTimeout,
      UnaryOperator<GcsStoreBuilder> settings) {
    this.store =
        settings
            .apply(
                GcsStore.at(bucket).endpoint(server.uri()).stallTimeout(stallTimeout).counter(this))
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
