package dev.zarrreactive.cli.process;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.partial.PartialFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptionTest {
  @TempDir Path directory;

  @Test
  void the_end_of_the_process_waits_for_hidden_files_that_are_being_removed() throws Exception {
    Interruption interruption = Interruption.ofThisThread();
    interruption.nothingLeftToInterrupt();
    Thread end = new Thread(interruption::cancel);
    try (PartialFile unfinished = PartialFile.create(directory)) {
      assertThat(unfinished.path()).exists();
      end.start();
      eventually("the end waits", () -> end.getState() == Thread.State.TIMED_WAITING);
    }
    end.join(30_000);
    assertThat(end.isAlive()).isFalse();
    assertThat(PartialFile.areOpenHere()).isFalse();
    assertThat(directory).isEmptyDirectory();
  }
}
