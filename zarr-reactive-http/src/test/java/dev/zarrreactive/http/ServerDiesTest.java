package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.ServerDies;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import reactor.netty.http.HttpProtocol;

class ServerDiesTest {
  abstract static class OverHttp extends ServerDies {
    private final MemoryStore values = MemoryStore.create();
    private final HttpProtocol protocol;

    OverHttp(HttpProtocol protocol) {
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
    protected Connected connect(FaultyServer server) {
      return CountedHttp.store(server, protocol, Duration.ofSeconds(2));
    }
  }

  @Nested
  class Http1 extends OverHttp {
    Http1() {
      super(HttpProtocol.HTTP11);
    }
  }

  @Nested
  class Http2 extends OverHttp {
    Http2() {
      super(HttpProtocol.H2C);
    }
  }
}
