package dev.zarrreactive.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;

/** The cases that come with the tests. */
public final class Fixtures {
  private static final FixtureArchive ARCHIVE = FixtureArchive.open(resource());

  private Fixtures() {}

  /** A file of its own, for the tests of other modules may find the archive in a jar. */
  private static Path resource() {
    try (var in =
        Objects.requireNonNull(Fixtures.class.getResourceAsStream("/interop/fixtures.zip"))) {
      Path file = Files.createTempFile("fixtures", ".zip");
      file.toFile().deleteOnExit();
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cases that a reader must read, sorted by name. */
  public static List<Fixture> good() {
    return ARCHIVE.good();
  }

  /** The cases that a reader must refuse, sorted by name. */
  public static List<Fixture> bad() {
    return ARCHIVE.bad();
  }
}
