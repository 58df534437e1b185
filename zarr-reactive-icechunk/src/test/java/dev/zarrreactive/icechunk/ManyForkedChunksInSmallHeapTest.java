package dev.zarrreactive.icechunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A million changed chunks come back from a fork, are committed, and are told from a million others
 * that are garbage, in a heap of 256 MiB.
 */
@Timeout(900)
class ManyForkedChunksInSmallHeapTest {
  @Test
  void a_million_chunks_of_a_fork_are_merged_and_kept_by_a_collection_in_256_mib() {
    try (ChildProcess writer = ChildProcess.start(ManyForkedChunks.class, "1000000")) {
      String line = writer.line();
      assertThat(line).startsWith("bytes ");
      assertThat(Long.parseLong(line.substring("bytes ".length()))).isLessThan(20_000_000);
      assertThat(writer.line()).isEqualTo("erased 1000000 of which 1000000");
    }
  }
}
