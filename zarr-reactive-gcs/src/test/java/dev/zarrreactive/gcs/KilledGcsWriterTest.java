package dev.zarrreactive.gcs;

import static dev.zarrreactive.gcs.InBucket.await;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Kills;
import dev.zarrreactive.testing.Sampled;
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
    String bucket = server.newBucket();
    GcsStore store = KilledGcsWriter.store(server.uri(), bucket);
    Kills.run(
        store,
        Cases.some(1, 3),
        first ->
            ChildProcess.start(KilledGcsWriter.class, server.uri().toString(), bucket, "" + first));
    await(store.close());
  }
}
