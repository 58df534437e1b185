package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.icechunk.RepositoryFaultMatrix;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import reactor.netty.http.HttpProtocol;

/** The faults at the files of an Icechunk repository over HTTP. */
class RepositoryFaultsOverHttpTest extends RepositoryFaultMatrix {
  private final MemoryStore files = MemoryStore.create();

  @Override
  protected void seed(String key, Bytes value) {
    files.set(StoreKey.of(key), value).block();
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.of(files);
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    return CountedHttp.store(server, HttpProtocol.HTTP11, stallTimeout);
  }
}
