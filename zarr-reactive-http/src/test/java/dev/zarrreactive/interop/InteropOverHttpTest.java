package dev.zarrreactive.interop;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other implementations wrote reads over HTTP as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverHttpTest extends InteropOverStore {
  private static final MemoryStore VALUES = MemoryStore.create();
  private static FaultyServer server;
  private static HttpStore http11;
  private static HttpStore http2;

  @BeforeAll
  static void serve() {
    server = FaultyServer.of(VALUES);
    http11 = HttpStore.open(server.uri());
    http2 = HttpStore.at(server.uri()).http2(true).open();
  }

  @AfterAll
  static void stop() {
    http11.close().block();
    http2.close().block();
    server.close();
  }

  @Override
  void put(String key, byte[] value) {
    VALUES.set(StoreKey.of(key), Bytes.wrap(value)).block();
  }

  @Override
  Store store(Fixture fixture) {
    return fixture.name().hashCode() % 2 == 0 ? http11 : http2;
  }
}
