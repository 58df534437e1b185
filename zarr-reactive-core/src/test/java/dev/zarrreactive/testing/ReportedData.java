package dev.zarrreactive.testing;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Small stores that were read wrongly once; each archive is a report of one. */
public final class ReportedData {
  private ReportedData() {}

  /**
   * Unpacks the archive of a report to a new directory.
   *
   * @param report the name of the archive, such as {@code 027-units-year-alone}
   */
  public static Path unpacked(String report) {
    try {
      return unpack(
          report, Files.createTempDirectory(Path.of("target"), "reported").toAbsolutePath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unpacks the archive of a report to a directory, which is returned. */
  public static Path unpack(String report, Path directory) {
    try (InputStream in =
            requireNonNull(
                ReportedData.class.getResourceAsStream("/reports/" + report + ".zip"), report);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.write(file, zip.readAllBytes());
        }
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
