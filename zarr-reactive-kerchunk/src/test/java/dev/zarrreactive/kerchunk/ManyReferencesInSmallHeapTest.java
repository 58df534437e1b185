package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many references are read in a heap of 256 MiB. */
@Timeout(900)
class ManyReferencesInSmallHeapTest {
  @Test
  void a_million_references_in_json() {
    assertRead("json", 1_000_000);
  }

  @Test
  void a_million_references_in_parquet() {
    assertRead("parquet", 1_000_000);
  }

  @Test
  @Slow
  void ten_million_references_in_parquet() {
    assertRead("parquet", 10_000_000);
  }

  private static void assertRead(String form, int count) {
    try (ChildProcess reader =
        ChildProcess.start(ManyReferences.class, form, Integer.toString(count))) {
      assertThat(reader.line()).isEqualTo("right 2000");
      assertThat(reader.line()).isEqualTo("listed " + (count + 1));
    }
  }
}
