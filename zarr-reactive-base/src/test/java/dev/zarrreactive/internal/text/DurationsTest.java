package dev.zarrreactive.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DurationsTest {
  @Test
  void a_duration_is_written_as_people_write_it() {
    Map.of(
            "PT1M", "1 minute",
            "PT30S", "30 s",
            "PT2H5M", "2 hours 5 minutes",
            "PT26H0.5S", "1 day 2 hours",
            "PT1M30S", "1 minute 30 s",
            "PT1.5S", "1.5 s",
            "PT0.25S", "250 ms",
            "PT0.00125S", "1.25 ms",
            "PT0S", "0 s",
            "PT-2M", "-2 minutes")
        .forEach((iso, text) -> assertThat(Durations.text(Duration.parse(iso))).isEqualTo(text));
    assertThat(Durations.text(Duration.ofNanos(1_500))).isEqualTo("1.5 µs");
    assertThat(Durations.text(Duration.ofNanos(15))).isEqualTo("15 ns");
  }

  @Test
  void what_was_measured_is_rounded() {
    Map.of(
            Duration.ZERO,
            "0 ms",
            Duration.ofMillis(999),
            "999 ms",
            Duration.ofMillis(1_000),
            "1.0 s",
            Duration.ofMillis(2_449),
            "2.4 s",
            Duration.ofMillis(59_949),
            "59.9 s",
            Duration.ofMillis(59_950),
            "1 minute",
            Duration.ofMillis(75_400),
            "1 minute 15 s",
            Duration.ofMinutes(125),
            "2 hours 5 minutes")
        .forEach((duration, text) -> assertThat(Durations.rounded(duration)).isEqualTo(text));
  }
}
