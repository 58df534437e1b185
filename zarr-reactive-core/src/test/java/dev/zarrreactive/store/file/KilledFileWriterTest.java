package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Kills;
import dev.zarrreactive.testing.Sampled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Sampled
class KilledFileWriterTest {
  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void a_killed_writer_leaves_whole_values_and_files_that_are_recognised(@TempDir Path directory)
      throws IOException {
    Kills.run(
        FileSystemStore.open(directory),
        Cases.some(1, 3),
        first -> ChildProcess.start(KilledFileWriter.class, directory.toString(), "" + first));
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith(".zarr-partial"));
    }
  }
}
