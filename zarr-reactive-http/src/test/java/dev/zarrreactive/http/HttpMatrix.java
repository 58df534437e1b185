package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import reactor.netty.http.HttpProtocol;

/** The matrix of faults for the store over HTTP. */
abstract class HttpMatrix extends FaultMatrix {
  private final MemoryStore values = MemoryStore.create();
  private final HttpProtocol protocol;

  HttpMatrix(HttpProtocol protocol) {
    this.protocol = protocol;
  }

  @Override
  protected void seed(String key, Bytes value) {
    values.set(StoreKey.of(key), value).block();
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.of(values);
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    return CountedHttp.store(server, protocol, stallTimeout);
  }
}
