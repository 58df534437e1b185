package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Counting;
import java.net.URI;
import org.junit.jupiter.api.Test;

class CountingInGcsTest {
  @Test
  void two_processes_with_four_writers_each_lose_no_update() {
    XmlApiServer server = XmlApiServer.shared();
    run(server.uri(), server.newBucket());
  }

  @Test
  void nor_in_an_emulator() {
    try (FakeGcsServer server = FakeGcsServer.start()) {
      run(server.uri(), server.newBucket());
    }
  }

  private static void run(URI server, String bucket) {
    GcsStore store = GcsStore.at(bucket).endpoint(server).open();
    Counting.run(
        store,
        process ->
            ChildProcess.start(CountingInGcs.class, server.toString(), bucket, "" + process));
    await(store.close());
  }
}
