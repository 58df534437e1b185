package dev.zarrreactive.interop;

import dev.zarrreactive.azure.AzureStore;
import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** What other implementations wrote reads from a container of Azure as it does from disk. */
@ExtendWith(NoLeaks.class)
class InteropOverAzureTest extends InteropOverStore {
  private static Azurite server;
  private static String container;
  private static AzureStore store;

  @BeforeAll
  static void open() {
    server = Azurite.shared();
    container = server.newContainer();
    store = server.at(container).open();
  }

  @AfterAll
  static void close() {
    if (store != null) {
      store.close().block();
    }
  }

  @Override
  void put(String key, byte[] value) {
    server.put(container, key, value);
  }

  @Override
  Store store(Fixture fixture) {
    return store;
  }
}
