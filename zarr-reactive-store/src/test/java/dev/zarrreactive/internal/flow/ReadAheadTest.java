package dev.zarrreactive.internal.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bands begin ahead of the subscriber: more where it waits, fewer where it does not. */
class ReadAheadTest {
  private final ReadAhead ahead = new ReadAhead();
  private final AtomicInteger begun = new AtomicInteger();

  @BeforeEach
  void hundredBands() {
    for (int i = 0; i < 100; i++) {
      ahead
          .turn()
          .subscribe(
              unused -> {},
              error -> {},
              () -> {
                begun.incrementAndGet();
                ahead.asked();
              });
    }
  }

  @Test
  void the_first_band_begins_with_the_demand() {
    assertThat(begun).hasValue(0);
    ahead.demanded();
    assertThat(begun).hasValue(1);
    ahead.demanded();
    assertThat(begun).hasValue(1);
  }

  @Test
  void the_next_band_begins_when_three_quarters_are_received() {
    ahead.demanded();
    ahead.decoded();
    assertThat(begun).hasValue(1);
    ahead.nearlyReceived();
    assertThat(begun).hasValue(2);
  }

  @Test
  void a_subscriber_that_does_not_wait_holds_two_bands() {
    ahead.demanded();
    ahead.decoded();
    for (int band = 1; band < 50; band++) {
      ahead.nearlyReceived();
      ahead.decoded(); // the next band, before the rest is received
      ahead.received();
      assertThat(begun).hasValue(band + 1);
    }
  }

  @Test
  void a_subscriber_that_waits_doubles_the_bands_ahead_up_to_eight() {
    ahead.demanded();
    int[] expected = {1 + 2, 2 + 4, 3 + 8, 4 + 8, 5 + 8};
    for (int band = 0; band < expected.length; band++) {
      ahead.decoded();
      receive();
      assertThat(begun).hasValue(expected[band]);
    }
  }

  private void receive() {
    ahead.nearlyReceived();
    ahead.received();
  }

  @Test
  void a_subscriber_that_finds_all_bands_decoded_has_one_band_fewer_ahead() {
    ahead.demanded();
    for (int band = 0; band < 4; band++) {
      ahead.decoded();
      receive();
    }
    assertThat(begun).hasValue(4 + 8);
    int decoded = 4;
    for (int band = 5; band <= 20; band++) {
      ahead.nearlyReceived();
      for (; decoded < begun.get(); decoded++) {
        ahead.decoded();
      }
      ahead.received();
    }
    assertThat(begun).hasValue(20 + 1);
  }
}
