package dev.zarrreactive.http;

import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.CountedPools;
import dev.zarrreactive.faults.server.FaultyServer;
import java.time.Duration;
import reactor.netty.http.HttpProtocol;

/** Stores over HTTP with pools of their own, of which the connections are counted. */
final class CountedHttp {
  private CountedHttp() {}

  static Connected store(FaultyServer server, HttpProtocol protocol, Duration stallTimeout) {
    boolean isHttp2 = protocol == HttpProtocol.H2C;
    CountedPools pools = new CountedPools(isHttp2);
    return new Connected(
        HttpStore.at(server.uri()).http2(isHttp2).stallTimeout(stallTimeout).counter(pools).open(),
        pools::busy);
  }
}
