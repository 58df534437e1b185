package dev.zarrreactive.http;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpConnectionPoolMetrics;
import reactor.netty.resources.ConnectionPoolMetrics;
import reactor.netty.resources.ConnectionProvider;

/** A store over HTTP with its own pool, of which the connections are counted. */
final class Counted implements Connected, ConnectionProvider.MeterRegistrar {
  private final List<ConnectionPoolMetrics> pools = new CopyOnWriteArrayList<>();
  private final HttpProtocol protocol;
  private final HttpStore store;

  Counted(FaultyServer server, HttpProtocol protocol, Duration stallTimeout) {
    this.protocol = protocol;
    this.store =
        HttpStore.at(server.uri())
            .http2(protocol == HttpProtocol.H2C)
            .stallTimeout(stallTimeout)
            .counter(this)
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
    return pools.stream().mapToInt(this::busy).sum();
  }

  /** Of HTTP/2 the streams: its connections are lent out until they are closed. */
  private int busy(ConnectionPoolMetrics pool) {
    if (pool instanceof HttpConnectionPoolMetrics streams) {
      return streams.activeStreamSize() + streams.pendingAcquireSize();
    }
    return protocol == HttpProtocol.H2C ? 0 : pool.acquiredSize() + pool.pendingAcquireSize();
  }

  @Override
  public void close() {
    Served.await(store.close());
  }
}
