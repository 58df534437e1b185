package dev.zarrreactive.internal.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zarrreactive.internal.link.LinkEstimate.Link;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Latency and bandwidth, found from times that were made up. */
class LinkEstimateTest {
  private static final double MILLI = 1e6;

  private final LinkEstimate estimate = new LinkEstimate();
  private final Random random = new Random(5);

  /** Requests of up to {@code mostBytes} bytes, their times from 0 to {@code noise} too long. */
  private void requests(
      int count, int mostBytes, double latency, double nanosPerByte, double noise) {
    for (int i = 0; i < count; i++) {
      int bytes = random.nextInt(mostBytes);
      double nanos = latency + bytes * nanosPerByte;
      estimate.observe(bytes, Math.round(nanos * (1 + noise * random.nextDouble())));
    }
  }

  private void assertLatency(double expected, double percent) {
    assertThat(estimate.now().latencyNanos())
        .isCloseTo(expected, Percentage.withPercentage(percent));
  }

  private void assertNanosPerByte(double expected, double percent) {
    assertThat(estimate.now().nanosPerByte())
        .isCloseTo(expected, Percentage.withPercentage(percent));
  }

  @Test
  void before_the_first_request_a_store_is_some_way_off() {
    assertLatency(50 * MILLI, 0.1);
    assertNanosPerByte(40, 0.1);
  }

  @Test
  void a_line_is_found() {
    for (double millis : new double[] {0.2, 1, 20, 100}) {
      LinkEstimateTest fresh = new LinkEstimateTest();
      fresh.requests(64, 1 << 17, millis * MILLI, 40, 0);
      fresh.assertLatency(millis * MILLI, 25);
      fresh.assertNanosPerByte(40, 5);
    }
  }

  @Test
  void noise_is_borne() {
    requests(200, 1 << 20, 20 * MILLI, 40, 0.3);
    assertLatency(21 * MILLI, 20);
    assertNanosPerByte(44, 20);
  }

  @Test
  void a_request_in_twenty_that_takes_a_second_is_an_exception() {
    for (int i = 0; i < 50; i++) {
      requests(19, 1 << 18, 50 * MILLI, 40, 0.02);
      requests(1, 1 << 18, 1000 * MILLI, 40, 0);
    }
    assertLatency(52 * MILLI, 10);
    assertNanosPerByte(41, 25);
  }

  @Test
  void requests_of_one_size_tell_of_their_time_and_nothing_of_bandwidth() {
    for (int i = 0; i < 500; i++) {
      estimate.observe(16_384, Math.round(20 * MILLI));
    }
    Link link = estimate.now();
    assertThat(link.nanosPerByte()).isCloseTo(40, within(0.1));
    assertThat(link.latencyNanos() + 16_384 * link.nanosPerByte())
        .isCloseTo(20 * MILLI, within(1000.0));
  }

  @Test
  void what_was_found_of_bandwidth_is_kept_while_sizes_are_the_same() {
    requests(200, 1 << 20, 20 * MILLI, 7, 0.01);
    for (int i = 0; i < 2000; i++) {
      estimate.observe(16_384, Math.round(20 * MILLI));
    }
    assertNanosPerByte(7, 25);
  }

  @Test
  void large_requests_of_one_size_that_come_quickly_leave_some_latency() {
    for (int i = 0; i < 100; i++) {
      estimate.observe(10_000_000, Math.round(10 * MILLI));
    }
    assertLatency(0.2 * MILLI, 1);
    assertNanosPerByte(0.98, 1);
  }

  @Test
  void a_link_without_a_limit_of_bandwidth_never_gains_time_with_bytes() {
    requests(500, 1 << 20, 20 * MILLI, 0, 0.05);
    assertThat(estimate.now().nanosPerByte()).isBetween(0.05, 3.0);
    assertLatency(20.5 * MILLI, 10);
  }

  @Test
  void a_link_that_becomes_slower_or_faster_is_followed() {
    requests(1000, 1 << 18, MILLI, 10, 0.1);
    requests(100, 1 << 18, 100 * MILLI, 40, 0.01);
    assertLatency(100 * MILLI, 5);
    requests(400, 1 << 18, 5 * MILLI, 10, 0.01);
    assertLatency(5 * MILLI, 20);
  }

  @Test
  void what_cannot_be_a_request_is_not_taken() {
    estimate.observe(-1, 5);
    estimate.observe(5, 0);
    estimate.observe(5, -7);
    assertThat(estimate.now()).isEqualTo(LinkEstimate.BEFORE);
  }
}
