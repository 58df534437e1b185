package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;

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
class KilledS3WriterTest {
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void a_killed_writer_leaves_whole_values_and_uploads_that_are_recognised() {
    S3ProxyServer server = S3ProxyServer.shared();
    String bucket = server.newBucket();
    S3Store store = KilledS3Writer.store(server.uri(), bucket);
    Kills.run(
        store,
        Cases.some(1, 3),
        first ->
            ChildProcess.start(KilledS3Writer.class, server.uri().toString(), bucket, "" + first));
    await(store.close());
  }
}
