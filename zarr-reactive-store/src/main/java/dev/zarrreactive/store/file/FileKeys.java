package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.internal.partial.PartialNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;

/** Maps keys and prefixes to files and directories. */
final class FileKeys {
  private static final String NOT_ON_WINDOWS = "\\:*?\"<>|";
  private static final Set<String> DEVICES = Set.of("CON", "PRN", "AUX", "NUL");

  private final Path base;
  private final boolean windows;
  private final boolean leadsAnywhere;

  /**
   * Maps keys to files.
   *
   * @param leadsAnywhere true where links may lead out of the base
   */
  FileKeys(Path base, boolean windows, boolean leadsAnywhere) {
    this.base = base;
    this.windows = windows;
    this.leadsAnywhere = leadsAnywhere;
  }

  FileKeys(Path base, boolean windows) {
    this(base, windows, true);
  }

  FileKeys(Path base) {
    this(base, base.getFileSystem().getSeparator().equals("\\"));
  }

  /** Returns the same mapping, which refuses links out of the base. */
  FileKeys withinBase() {
    return new FileKeys(base, windows, false);
  }

  Path base() {
    return base;
  }

  /** Returns the file of a key; fails if the file system cannot have such a name. */
  Path file(StoreKey key) {
    return resolve(key.value());
  }

  /** The directory of a prefix; the base for the root. */
  Path directory(StorePrefix prefix) {
    String value = prefix.value();
    return value.isEmpty() ? base : resolve(value.substring(0, value.length() - 1));
  }

  /** Returns true if the directory of a prefix is a symbolic link; the base counts as none. */
  boolean isLink(StorePrefix prefix) {
    return !prefix.value().isEmpty() && Files.isSymbolicLink(directory(prefix));
  }

  /** The directory that a file of this store is in. */
  Path directoryOf(Path file) {
    Path parent = file.getParent();
    return parent == null ? base : parent;
  }

  private Path resolve(String value) {
    if (value.contains(PartialNames.START) || windows) {
      for (String name : value.split("/", -1)) {
        refuseHidden(name, value);
        if (windows) {
          refuseOnWindows(name, value);
        }
      }
    }
    try {
      Path path = base.resolve(value);
      if (leadsOut(path)) {
        throw OpenWithin.leadsOut(base, value);
      }
      return path;
    } catch (InvalidPathException e) {
      throw new NotAValueException(
          "this file system has no such file name: "
              + e.getReason()
              + "; if it has letters beyond ASCII, run Java with a UTF-8 locale",
          Location.ofKey(value),
          e);
    }
  }

  /** Returns true for a path that a link leads out of the base, where that is not allowed. */
  boolean leadsOut(Path path) {
    if (leadsAnywhere) {
      return false;
    }
    Path present = path;
    while (!present.equals(base) && !Files.exists(present, LinkOption.NOFOLLOW_LINKS)) {
      present = directoryOf(present);
    }
    try {
      return !present.toRealPath().startsWith(base.toRealPath());
    } catch (NoSuchFileException e) {
      return false; // nothing is there, or a link that leads nowhere
    } catch (IOException e) {
      return true;
    }
  }

  /** Opens a file of this mapping to read it. */
  FileChannel open(Path file) throws IOException {
    return leadsAnywhere
        ? FileChannel.open(file, StandardOpenOption.READ)
        : OpenWithin.file(base, file);
  }

  /** Opens a directory of this mapping, for the caller to close. */
  @SuppressWarnings("StreamResourceLeak")
  DirectoryStream<Path> openDirectory(Path directory) throws IOException {
    return leadsAnywhere
        ? Files.newDirectoryStream(directory)
        : OpenWithin.directory(base, directory);
  }

  private static void refuseHidden(String name, String value) {
    if (PartialNames.isHidden(name)) {
      throw new NotAValueException(
          "names that begin with \""
              + PartialNames.START
              + "\" are reserved for files that are being written; use another name",
          Location.ofKey(value));
    }
  }

  /** Refuses names that Windows would resolve to another file, a device or a part of a file. */
  private static void refuseOnWindows(String name, String value) {
    boolean forbidden =
        name.chars().anyMatch(c -> c < ' ' || NOT_ON_WINDOWS.indexOf(c) >= 0)
            || name.endsWith(".")
            || name.endsWith(" ")
            || isDevice(name);
    if (forbidden) {
      throw new NotAValueException(
          "Windows has no file of the name \"" + name + "\"", Location.ofKey(value));
    }
  }

  private static boolean isDevice(String name) {
    int dot = name.indexOf('.');
    String stem = (dot < 0 ? name : name.substring(0, dot)).strip().toUpperCase(Locale.ROOT);
    return DEVICES.contains(stem)
        || (stem.length() == 4
            && (stem.startsWith("COM") || stem.startsWith("LPT"))
            && Character.isDigit(stem.charAt(3)));
  }
}
