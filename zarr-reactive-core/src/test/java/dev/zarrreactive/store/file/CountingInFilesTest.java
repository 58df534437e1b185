package dev.zarrreactive.store.file;

import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Counting;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountingInFilesTest {
  @Test
  void two_processes_with_four_writers_each_lose_no_update(@TempDir Path directory) {
    Counting.run(
        FileSystemStore.open(directory),
        process -> ChildProcess.start(CountingInFiles.class, directory.toString(), "" + process));
  }
}
