package dev.zarrreactive.anndata;

import static java.util.Objects.requireNonNull;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The stores that make_anndata.py writes, and what their programs read. */
final class AnnTestData {
  private static final Path DIRECTORY = unzip();

  private AnnTestData() {}

  private static Path unzip() {
    try (InputStream in =
            requireNonNull(AnnTestData.class.getResourceAsStream("/anndata/anndata.zip"));
        ZipInputStream zip = new ZipInputStream(in)) {
      Path directory = Files.createTempDirectory(Path.of("target"), "anndata").toAbsolutePath();
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, zip.readAllBytes());
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the location of a store. */
  static String location(String name) {
    return DIRECTORY.resolve(name).resolve("data.zarr").toString();
  }

  /** Returns what the program of a store reads. */
  static JsonObject expected(String name) {
    try {
      byte[] bytes = Files.readAllBytes(DIRECTORY.resolve("expected.json"));
      JsonObject all =
          (JsonObject) JsonDocument.parse(ByteBuffer.wrap(bytes), Location.UNKNOWN).value();
      return (JsonObject) requireNonNull(all.get(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
