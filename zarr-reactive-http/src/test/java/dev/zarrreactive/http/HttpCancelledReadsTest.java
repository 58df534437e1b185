package dev.zarrreactive.http;

import dev.zarrreactive.faults.CancelledReads;
import dev.zarrreactive.faults.NoLeaks;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.netty.http.HttpProtocol;

/** Cancels of reads over HTTP. */
@ExtendWith(NoLeaks.class)
class HttpCancelledReadsTest {
  private static final Duration STALL = Duration.ofMinutes(10);

  @ParameterizedTest
  @EnumSource(names = {"HTTP11", "H2C"})
  void are_survived(HttpProtocol protocol) {
    try (CancelledReads reads =
        new CancelledReads(
            CancelledReads.PLACE, server -> CountedHttp.store(server, protocol, STALL))) {
      reads.areSurvived();
    }
  }
}
