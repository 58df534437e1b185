package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million changed chunks are written, committed and listed in a heap of 256 MiB. */
@Timeout(900)
class ManyChangedChunksInSmallHeapTest {
  @Test
  void a_million_changed_chunks_are_committed_in_a_heap_of_256_mib() {
    try (ChildProcess writer = ChildProcess.start(ManyChangedChunks.class, "1000000")) {
      String line = writer.line();
      assertThat(line).startsWith("bytes ");
      assertThat(Long.parseLong(line.substring("bytes ".length()))).isLessThan(64 << 20);
      assertThat(writer.line()).isEqualTo("committed 1000000");
    }
  }
}
