package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.CancelledReads;
import dev.zarrreactive.faults.NoLeaks;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cancels of reads over S3. */
@ExtendWith(NoLeaks.class)
class S3CancelledReadsTest {
  private static final Duration STALL = Duration.ofMinutes(10);

  /** As few connections as are used at a time, so that one that is lost is missed. */
  private static final int CONNECTIONS = 8;

  S3StoreBuilder settings(S3StoreBuilder builder) {
    return builder.anonymous().connections(CONNECTIONS);
  }

  @Test
  void are_survived() {
    try (CancelledReads reads =
        new CancelledReads(
            StoreKey.of("a"), server -> CountedS3.store(server, "data", STALL, this::settings))) {
      reads.areSurvived();
    }
  }
}
