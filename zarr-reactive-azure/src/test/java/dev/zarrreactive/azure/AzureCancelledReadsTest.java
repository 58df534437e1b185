package dev.zarrreactive.azure;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.CancelledReads;
import dev.zarrreactive.faults.NoLeaks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cancels of reads from a container. */
@ExtendWith(NoLeaks.class)
class AzureCancelledReadsTest {
  private static final Duration STALL = Duration.ofMinutes(10);

  /** As few connections as are used at a time, so that one that is lost is missed. */
  private static final int CONNECTIONS = 8;

  @Test
  void are_survived() {
    try (CancelledReads reads =
        new CancelledReads(
            StoreKey.of("a"),
            server ->
                CountedAzure.store(
                    server,
                    "data",
                    STALL,
                    settings -> settings.endpoint(server.uri()).connections(CONNECTIONS)))) {
      reads.areSurvived();
    }
  }
}
