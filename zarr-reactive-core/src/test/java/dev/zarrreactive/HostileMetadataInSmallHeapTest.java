package dev.zarrreactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Metadata that a heap of 64 MiB has no room for end in an error, and the library goes on. */
@Timeout(600)
class HostileMetadataInSmallHeapTest {
  @TempDir Path directory;

  @Test
  void each_document_ends_in_an_error_or_in_right_values()
      throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    Process process =
        new ProcessBuilder(HostileMetadataInSmallHeap.command())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(9, TimeUnit.MINUTES)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = new ArrayList<>(Files.readAllLines(output));
    lines.removeIf(line -> !line.matches("[a-z ]+=.*"));
    assertThat(lines)
        .as(Files.readString(output))
        .containsExactly(
            "a long text=MemoryExhaustedException",
            "a long name=MetadataException",
            "too large=ValueTooLargeException",
            "numbers=MetadataException",
            "objects=MetadataException",
            "edges=array [7, 7]",
            "a small one=group");
  }
}
