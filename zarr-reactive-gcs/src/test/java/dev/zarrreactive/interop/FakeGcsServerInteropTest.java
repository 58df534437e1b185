package dev.zarrreactive.interop;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.gcs.FakeGcsServer;
import dev.zarrreactive.gcs.GcsStore;
import dev.zarrreactive.store.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What other implementations wrote, and the JSON API put into an emulator, reads by the XML API as
 * it does from disk. Nothing stands between the store and the emulator.
 */
@ExtendWith(NoLeaks.class)
class FakeGcsServerInteropTest extends InteropOverStore {
  private static FakeGcsServer server;
  private static String bucket;
  private static GcsStore store;

  @BeforeAll
  static void open() {
    server = FakeGcsServer.start();
    bucket = server.newBucket();
    store = GcsStore.at(bucket).endpoint(server.emulator()).open();
  }

  @AfterAll
  static void close() {
    if (server != null) {
      store.close().block();
      server.close();
    }
  }

  @Override
  void put(String key, byte[] value) {
    server.put(bucket, key, value);
  }

  @Override
  Store store(Fixture fixture) {
    return store;
  }
}
