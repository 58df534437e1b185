package dev.zarrreactive.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The archive of arrays and hierarchies that other implementations wrote: {@code good/NAME/} with
 * the content that a reader must see, and malformed ones, {@code bad/NAME/}. It is read in place;
 * its names are not trusted.
 */
final class Fixtures {
  private static final long LARGEST_FILE = 16 << 20;

  private static final SortedMap<String, SortedMap<String, ZipEntry>> CASES = new TreeMap<>();
  private static final ZipFile ZIP = open();

  private Fixtures() {}

  /** The cases that a reader must read, sorted by name. */
  static List<Fixture> good() {
    return below("good/");
  }

  /** The cases that a reader must refuse, sorted by name. */
  static List<Fixture> bad() {
    return below("bad/");
  }

  private static List<Fixture> below(String prefix) {
    List<Fixture> cases = new ArrayList<>();
    CASES.forEach(
        (name, files) -> {
          if (name.startsWith(prefix)) {
            cases.add(new Fixture(name.substring(prefix.length()), files.keySet(), name));
          }
        });
    return cases;
  }

  /** The content of a file of a case. */
  static byte[] read(String caseName, String file) {
    ZipEntry entry = CASES.get(caseName).get(file);
    if (entry == null || entry.getSize() > LARGEST_FILE) {
      throw new IllegalArgumentException(caseName + " has no file " + file + " of a sane size");
    }
    // The declared size may lie; one byte more than it is never read.
    try (var in = ZIP.getInputStream(entry)) {
      byte[] content = in.readNBytes((int) entry.getSize());
      if (content.length != entry.getSize() || in.read() >= 0) {
        throw new IllegalArgumentException(entry.getName() + " is not as long as it says");
      }
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ZipFile open() {
    try {
      var resource = Objects.requireNonNull(Fixtures.class.getResource("/interop/fixtures.zip"));
      ZipFile zip = new ZipFile(Path.of(resource.toURI()).toFile());
      zip.stream().filter(entry -> !entry.isDirectory()).forEach(Fixtures::index);
      return zip;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void index(ZipEntry entry) {
    String[] names = entry.getName().split("/", 3);
    if (names.length < 3 || !isSafe(entry.getName())) {
      throw new IllegalArgumentException("a name that no fixture has: " + entry.getName());
    }
    CASES.computeIfAbsent(names[0] + "/" + names[1], name -> new TreeMap<>()).put(names[2], entry);
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
