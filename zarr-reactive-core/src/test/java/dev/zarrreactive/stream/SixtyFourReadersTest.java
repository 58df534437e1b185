package dev.zarrreactive.stream;

import static dev.zarrreactive.stream.SixtyFourReaders.BUDGET;
import static dev.zarrreactive.stream.SixtyFourReaders.CHUNKS_OF_A_READER;
import static dev.zarrreactive.stream.SixtyFourReaders.READERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.JvmFigures;
import dev.zarrreactive.testing.Slow;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Many readers at once of an array far larger than the heap, within one budget. */
@Slow
class SixtyFourReadersTest {
  @Test
  void stream_64_regions_of_8_gib_at_once_through_a_small_heap_within_48_mib() throws Exception {
    Map<String, Long> figures = JvmFigures.of(SixtyFourReaders.class);
    System.out.println("64 readers of 20 MiB each through 128 MiB: " + figures);
    assertThat(figures)
        .containsEntry("array_gib", 8L)
        .containsEntry("readers_with_the_right_checksum", (long) READERS)
        .containsEntry("index_requests", (long) READERS)
        .containsEntry("held_at_the_end", 0L)
        .containsEntry("under_way_at_the_end", 0L)
        .containsEntry("errors_dropped", 0L);
    assertThat(figures.get("heap_mib")).isLessThanOrEqualTo(128);
    assertThat(figures.get("most_held")).isBetween(BUDGET / 4, BUDGET);
    assertThat(figures.get("most_under_way")).isBetween(1L << 20, BUDGET);
    assertThat(figures.get("data_requests"))
        .isLessThanOrEqualTo((long) READERS * CHUNKS_OF_A_READER);
  }
}
