package dev.zarrreactive.gcs;

import static dev.zarrreactive.gcs.InBucket.await;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Counting;
import org.junit.jupiter.api.Test;

class CountingInGcsTest {
  @Test
  void two_processes_with_four_writers_each_lose_no_update() {
    XmlApiServer server = XmlApiServer.shared();
    String bucket = server.newBucket();
    GcsStore store = server.at(bucket).open();
    Counting.run(
        store,
        process ->
            ChildProcess.start(CountingInGcs.class, server.uri().toString(), bucket, "" + process));
    await(store.close());
  }
}
