package dev.zarrreactive.azure;

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
class KilledAzureWriterTest {
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void a_killed_writer_leaves_whole_values() {
    Azurite server = Azurite.shared();
    String container = server.newContainer();
    AzureStore store = KilledAzureWriter.store(server.uri(), container);
    Kills.run(
        store,
        Cases.some(1, 3),
        first ->
            ChildProcess.start(
                KilledAzureWriter.class, server.uri().toString(), container, "" + first));
    await(store.close());
  }
}
