package dev.zarrreactive.faults;

import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import reactor.netty.http.client.HttpConnectionPoolMetrics;
import reactor.netty.resources.ConnectionPoolMetrics;
import reactor.netty.resources.ConnectionProvider;

/** The pools of connections that reactor-netty makes for one store. */
public final class CountedPools implements ConnectionProvider.MeterRegistrar {
  private final List<ConnectionPoolMetrics> pools = new CopyOnWriteArrayList<>();
  private final boolean isHttp2;

  /** Pools over HTTP/1.1, or over HTTP/2, of which the streams count. */
  public CountedPools(boolean isHttp2) {
    this.isHttp2 = isHttp2;
  }

  @Override
  public void registerMetrics(
      String name, String id, SocketAddress remote, ConnectionPoolMetrics metrics) {
    pools.add(metrics);
  }

  /** Returns the number of connections in use, and of requests that wait for one. */
  public int busy() {
    return pools.stream().mapToInt(this::busy).sum();
  }

  /** A connection over HTTP/2 is lent out until it is closed. */
  private int busy(ConnectionPoolMetrics pool) {
    if (pool instanceof HttpConnectionPoolMetrics streams) {
      return streams.activeStreamSize() + streams.pendingAcquireSize();
    }
    return isHttp2 ? 0 : pool.acquiredSize() + pool.pendingAcquireSize();
  }
}
