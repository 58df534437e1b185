package dev.zarrreactive.gcs;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.StoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store keeps the contract on an emulator that others wrote. */
@ExtendWith(NoLeaks.class)
class FakeGcsServerTest extends StoreContract {
  private static FakeGcsServer server;

  @BeforeAll
  static void start() {
    server = FakeGcsServer.start();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  protected Store createStore() {
    return GcsStore.at(server.newBucket()).endpoint(server.uri()).partSize(1 << 20).open();
  }
}
