package dev.zarrreactive.read;

import static dev.zarrreactive.read.SmallHeap.REFUSED;
import static dev.zarrreactive.read.SmallHeap.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.JvmFigures;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM of 256 MiB that is asked for more: every operation ends, and the next one works. */
class SmallHeapTest {
  @TempDir Path directory;

  @Test
  @Timeout(400)
  void what_does_not_fit_into_the_heap_ends_with_right_values_or_an_error() throws Exception {
    Map<String, Long> ends =
        JvmFigures.of(
            SmallHeap.class, List.of("-Xmx256m", "-XX:+UseG1GC"), 380, directory.toString());
    assertThat(ends).hasSize(19).containsEntry("bytes_in_flight", 0L);
    ends.remove("bytes_in_flight");
    assertThat(ends.values()).isSubsetOf((long) RIGHT, (long) REFUSED);
    assertThat(ends)
        .containsEntry("small_before", (long) RIGHT)
        .containsEntry("one_chunk_of_300_mb", (long) REFUSED)
        .containsEntry("gzip_of_400_mb", (long) REFUSED)
        .containsEntry("a_file_of_1900_mb_for_4_bytes", (long) REFUSED)
        .containsEntry("a_file_of_1900_mb_for_4_bytes_in_part_written", (long) REFUSED)
        .containsEntry("eight_chunks_of_30_mb", (long) RIGHT)
        .containsEntry("eight_chunks_of_30_mb_streamed", (long) RIGHT)
        .containsEntry("a_result_of_240_mb", (long) REFUSED)
        .containsEntry("a_chunk_of_300_mb_in_part_written", (long) REFUSED)
        .containsEntry("an_entry_of_300_mb_for_4_bytes", (long) REFUSED)
        .containsEntry("small_after", (long) RIGHT)
        .containsEntry("small_streamed_after", (long) RIGHT)
        .containsEntry("small_written_after", (long) RIGHT);
  }
}
