package dev.zarrreactive.interop;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.gcs.GcsStore;
import dev.zarrreactive.gcs.XmlApiServer;
import dev.zarrreactive.store.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other implementations wrote reads from a bucket of Google as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverGcsTest extends InteropOverStore {
  private static final XmlApiServer SERVER = XmlApiServer.shared();
  private static final String BUCKET = SERVER.newBucket();
  private static GcsStore store;

  @BeforeAll
  static void open() {
    store = SERVER.at(BUCKET).open();
  }

  @AfterAll
  static void close() {
    store.close().block();
  }

  @Override
  void put(String key, byte[] value) {
    SERVER.put(BUCKET, key, value);
  }

  @Override
  Store store(Fixture fixture) {
    return store;
  }
}
