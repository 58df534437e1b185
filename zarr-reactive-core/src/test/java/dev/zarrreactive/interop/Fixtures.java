package dev.zarrreactive.interop;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The cases that come with the tests. */
public final class Fixtures {
  private static final FixtureArchive ARCHIVE = FixtureArchive.open(resource());

  private Fixtures() {}

  private static Path resource() {
    try {
      var resource = Objects.requireNonNull(Fixtures.class.getResource("/interop/fixtures.zip"));
      return Path.of(resource.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
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
