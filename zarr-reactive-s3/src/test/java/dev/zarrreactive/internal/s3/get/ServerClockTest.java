package dev.zarrreactive.internal.s3.get;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  @Test
  void a_time_has_the_form_of_signatures() {
    DateTimeFormatter form =
        DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    assertThat(ServerClock.text(1369353600)).isEqualTo("20130524T000000Z");
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      long second = (random.nextLong() >>> 1) % 8_000_000_000L;
      assertThat(ServerClock.text(second)).isEqualTo(form.format(Instant.ofEpochSecond(second)));
    }
  }
}
