package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.testing.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reference sets are made anew by references.py, with the Python that {@code
 * -DZARR_PYTHON=/path/to/python} or the environment variable of this name says, or else the one on
 * the path.
 */
class ReferenceScriptTest {
  @TempDir Path directory;

  @Test
  @Slow
  void references_that_python_makes_today_are_read() throws Exception {
    String output = python();
    assumeTrue(
        !output.isEmpty(),
        "no Python with kerchunk, virtualizarr, tifffile and imagecodecs-numcodecs; name one with"
            + " -DZARR_PYTHON=/path/to/python");
    Archive archive = new Archive(directory.resolve("references"));
    List<Archive.Values> values = archive.values().toList();
    assertThat(archive.sets()).hasSameSizeAs(Archive.KEPT.sets());
    for (Archive.Values expected : values) {
      ReferenceSetsTest.assertValues(archive, expected);
    }
  }

  /** Returns the output of the script; empty without a Python that has what it needs. */
  private String python() throws Exception {
    String chosen = System.getProperty("ZARR_PYTHON", System.getenv("ZARR_PYTHON"));
    Path script =
        Path.of(
            Objects.requireNonNull(ReferenceScriptTest.class.getResource("references.py")).toURI());
    Path out = directory.resolve("out.txt");
    ProcessBuilder builder =
        new ProcessBuilder(
                chosen == null || chosen.isEmpty() ? "python3" : chosen,
                script.toString(),
                directory.resolve("references").toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    try {
      int exit = builder.start().waitFor();
      String text = Files.readString(out, StandardCharsets.UTF_8);
      assertThat(exit == 0 || text.contains("No module named")).as(text).isTrue();
      return exit == 0 ? text : "";
    } catch (IOException e) {
      return "";
    }
  }
}
