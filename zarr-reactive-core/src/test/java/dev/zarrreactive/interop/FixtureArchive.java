package dev.zarrreactive.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A zip archive of arrays and hierarchies that other implementations wrote: {@code good/NAME/} with
 * the content that a reader must see, and malformed ones, {@code bad/NAME/}. It is read in place;
 * its names are not trusted.
 */
final class FixtureArchive {
  private static final long LARGEST_FILE = 16 << 20;

  private final SortedMap<String, SortedMap<String, ZipEntry>> cases = new TreeMap<>();
  private final ZipFile zip;

  private FixtureArchive(ZipFile zip) {
    this.zip = zip;
    zip.stream().filter(entry -> !entry.isDirectory()).forEach(this::index);
  }

  /** The archive; it stays open for as long as the JVM runs. */
  static FixtureArchive open(Path file) {
    try {
      return new FixtureArchive(new ZipFile(file.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The cases that a reader must read, sorted by name. */
  List<Fixture> good() {
    return below("good/");
  }

  /** The cases that a reader must refuse, sorted by name. */
  List<Fixture> bad() {
    return below("bad/");
  }

  private List<Fixture> below(String prefix) {
    List<Fixture> fixtures = new ArrayList<>();
    cases.forEach(
        (name, files) -> {
          if (name.startsWith(prefix)) {
            fixtures.add(new Fixture(name.substring(prefix.length()), files.keySet(), name, this));
          }
        });
    return fixtures;
  }

  /** The content of a file of a case. */
  byte[] read(String caseName, String file) {
    ZipEntry entry = cases.get(caseName).get(file);
    if (entry == null || entry.getSize() > LARGEST_FILE) {
      throw new IllegalArgumentException(caseName + " has no file " + file + " of a sane size");
    }
    // The declared size may lie; one byte more than it is never read.
    try (var in = zip.getInputStream(entry)) {
      byte[] content = in.readNBytes((int) entry.getSize());
      if (content.length != entry.getSize() || in.read() >= 0) {
        throw new IllegalArgumentException(entry.getName() + " is not as long as it says");
      }
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void index(ZipEntry entry) {
    String[] names = entry.getName().split("/", 3);
    if (names.length < 3 || !isSafe(entry.getName())) {
      throw new IllegalArgumentException("a name that no fixture has: " + entry.getName());
    }
    cases.computeIfAbsent(names[0] + "/" + names[1], name -> new TreeMap<>()).put(names[2], entry);
  }

  private static boolean isSafe(String path) {
    if (path.indexOf('\\') >= 0 || path.indexOf('\0') >= 0) {
      return false;
    }
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        return false;
      }
    }
    return true;
  }
}
