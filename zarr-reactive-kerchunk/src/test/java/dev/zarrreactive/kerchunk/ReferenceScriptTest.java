package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.Python;
import dev.zarrreactive.testing.Slow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference sets are made anew by references.py, where a Python has what it needs. */
class ReferenceScriptTest {
  @TempDir Path directory;

  @Test
  @Slow
  void references_that_python_makes_today_are_read() throws Exception {
    Python.with(
            "fastparquet, h5py, kerchunk, netCDF4, obspec_utils, obstore, tifffile, virtualizarr")
        .run(
            Python.script(ReferenceScriptTest.class, "references.py"),
            directory.resolve("references"));
    Archive archive = new Archive(directory.resolve("references"));
    List<Archive.Values> values = archive.values().toList();
    assertThat(archive.sets()).hasSameSizeAs(Archive.KEPT.sets());
    for (Archive.Values expected : values) {
      ReferenceSetsTest.assertValues(archive, expected);
    }
  }
}
