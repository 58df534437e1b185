package dev.zarrreactive.stream;

import static dev.zarrreactive.stream.FourGiBStream.CHUNKS;
import static dev.zarrreactive.stream.FourGiBStream.CHUNK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.JvmFigures;
import dev.zarrreactive.testing.Slow;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An array far larger than the heap: 4 GiB through a JVM with 128 MiB. */
@Slow
class FourGiBStreamTest {
  /** The budget of that JVM, a quarter of its heap, holds so many decoded chunks. */
  private static final long PREFETCH = 32;

  @Test
  void four_gib_stream_through_a_small_heap_under_back_pressure_and_a_cancel_stops_it()
      throws Exception {
    Map<String, Long> figures = JvmFigures.of(FourGiBStream.class);
    System.out.println("4 GiB through chunks() with a slow consumer: " + figures);
    assertThat(figures)
        .containsEntry("bytes", (long) CHUNKS * CHUNK_BYTES)
        .containsEntry("checksum", checksum())
        .containsEntry("requests", (long) CHUNKS)
        .containsEntry("in_flight_at_the_end", 0L)
        .containsEntry("in_flight_after_cancel", 0L)
        .containsEntry("errors_dropped", 0L);
    assertThat(figures.get("heap_mib")).isLessThanOrEqualTo(128);
    // a thread that is about to ask when the cancel comes may do that
    assertThat(figures.get("requests_after_cancel"))
        .isBetween(0L, (long) Runtime.getRuntime().availableProcessors());
    assertThat(figures.get("most_ahead_of_demand")).isBetween(1L, PREFETCH);
    // 200 are done with; the consumer works on one and has asked for the next
    assertThat(figures.get("requests_until_cancel")).isBetween(200L, 202L + PREFETCH);
  }

  private static long checksum() {
    long sum = 0;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      byte[] elements = GeneratedChunksStore.elements(chunk, CHUNK_BYTES, 0);
      sum += FourGiBStream.checksum(chunk, elements, 0, elements.length);
    }
    return sum;
  }
}
