package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Kills;
import dev.zarrreactive.testing.Sampled;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
@Sampled
class KilledGcsWriterTest {
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void a_killed_writer_leaves_whole_values() {
    XmlApiServer server = XmlApiServer.shared();
    run(server.uri(), server.newBucket());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void and_so_it_does_in_an_emulator() {
    try (FakeGcsServer server = FakeGcsServer.start()) {
      run(server.uri(), server.newBucket());
    }
  }

  private static void run(URI server, String bucket) {
    GcsStore store = KilledGcsWriter.store(server, bucket);
    Kills.run(
        store,
        Cases.some(1, 3),
        first -> ChildProcess.start(KilledGcsWriter.class, server.toString(), bucket, "" + first));
    await(store.close());
  }
}
