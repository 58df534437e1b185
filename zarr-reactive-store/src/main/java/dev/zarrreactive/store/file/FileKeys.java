package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.partial.PartialNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps keys and prefixes to files and directories, and distinguishes a value, a missing value and
 * other kinds of files at the path of a key.
 */
final class FileKeys {
  private static final String NOT_ON_WINDOWS = "\\:*?\"<>|";
  private static final Set<String> DEVICES =
      Set.of("CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$");

  /** The numbers of serial and parallel ports; superscripts are among them. */
  private static final String PORTS = "0123456789\u00b9\u00b2\u00b3";

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4_096;

  private final Path base;
  private final boolean windows;
  private final boolean leadsAnywhere;
  private final NameCase nameCase;

  /**
   * Maps keys to files.
   *
   * @param leadsAnywhere true where links may lead out of the base
   */
  private FileKeys(Path base, boolean windows, boolean leadsAnywhere, NameCase nameCase) {
    this.base = base;
    this.windows = windows;
    this.leadsAnywhere = leadsAnywhere;
    this.nameCase = nameCase;
  }

  FileKeys(Path base, boolean windows) {
    this(base, windows, true, new NameCase(base));
  }

  FileKeys(Path base) {
    this(base, base.getFileSystem().getSeparator().equals("\\"));
  }

  /** Returns the same mapping, which refuses links out of the base. */
  FileKeys withinBase() {
    return new FileKeys(base, windows, false, nameCase);
  }

  Path base() {
    return base;
  }

  /** Returns true for a file system that has the paths of Windows. */
  boolean isWindows() {
    return windows;
  }

  /**
   * Returns the file of a key; fails if the file system cannot have such a name, or holds it in
   * another case.
   */
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
      nameCase.check(value);
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

  /**
   * Refuses a key whose name another program, or thread, has meanwhile given to a file in another
   * case: for a writer that holds the lock of the name.
   */
  void refuseOtherCase(StoreKey key) {
    nameCase.check(key.value());
  }

  /** Forgets what is known of names: an erasure or a move may have removed directories. */
  void forgetNames() {
    nameCase.forget();
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

  /**
   * Returns the attributes of the file at {@code file}, with links followed; null if there is none.
   * A value is missing only if there is no file: otherwise an array that git-annex has not fetched
   * would read as fill values.
   *
   * @throws StoreException if there is another kind of file at the path or at one of its parents
   */
  @Nullable BasicFileAttributes find(StoreKey key, Path file) throws IOException {
    Location place = Location.ofKey(key.value());
    BasicFileAttributes found;
    try {
      found = attributes(file, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      checkWay(file, place);
      return null;
    } catch (java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      checkWay(file, place); // a parent may be a file
      if (isTooLong(file)) {
        throw new NotAValueException("the name of " + file + " is too long for a file", place, e);
      }
      throw e;
    }
    if (found.isSymbolicLink()) {
      found = follow(file, place);
    }
    if (!found.isRegularFile()) {
      throw new NotAValueException(
          file
              + " is "
              + (found.isDirectory() ? "a directory" : "a pipe, a socket or a device")
              + ", and not a file that holds a value",
          place);
    }
    return found;
  }

  /** Returns true for a path of a length that file systems refuse. */
  static boolean isTooLong(Path file) {
    if (file.toString().length() >= LONGEST_PATH) {
      return true;
    }
    for (Path name : file) {
      if (name.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
        return true;
      }
    }
    return false;
  }

  /** Checks that the parents of a missing path are directories, down to the first missing one. */
  private void checkWay(Path path, Location place) throws IOException {
    for (Path at = path.getParent(); at != null && !at.equals(base); at = at.getParent()) {
      BasicFileAttributes found = attributesIfPresent(at);
      if (found != null && found.isSymbolicLink()) {
        found = follow(at, place);
      }
      if (found != null && !found.isDirectory()) {
        throw new NotAValueException(at + " is a file, and the key needs a directory there", place);
      }
      if (found != null) {
        return;
      }
    }
    FileErrors.refuseFile(base);
    if (Files.isSymbolicLink(base)) {
      follow(base, place);
    }
  }

  /** Returns the attributes of the target of a symbolic link; fails if the target is missing. */
  static BasicFileAttributes follow(Path link, Location place) throws IOException {
    try {
      return attributes(link);
    } catch (NoSuchFileException e) {
      throw new StoreException(
          link
              + " is a symbolic link, and its target "
              + Files.readSymbolicLink(link)
              + " is missing; where git-annex or DataLad keeps the data, get the content first",
          place,
          e);
    } catch (java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      throw new StoreException(
          link
              + " is a symbolic link, and its target "
              + Files.readSymbolicLink(link)
              + " cannot be reached: "
              + e.getReason(),
          place,
          e);
    }
  }

  private static @Nullable BasicFileAttributes attributesIfPresent(Path path) throws IOException {
    try {
      return attributes(path, LinkOption.NOFOLLOW_LINKS);
    } catch (java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      return null;
    }
  }

  private static BasicFileAttributes attributes(Path path, LinkOption... options)
      throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, options);
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
    String rule = ruleOnWindows(name);
    if (rule != null) {
      throw new NotAValueException(
          "Windows has no file of the name \""
              + name
              + "\": "
              + rule
              + "; use another name, a zip archive, or another kind of store",
          Location.ofKey(value));
    }
  }

  /** Returns the rule of Windows that a name breaks; null for a name that it can have. */
  private static @Nullable String ruleOnWindows(String name) {
    for (int at = 0; at < name.length(); at++) {
      char c = name.charAt(at);
      if (c < ' ') {
        return String.format("it has the control character U+%04X", (int) c);
      }
      if (NOT_ON_WINDOWS.indexOf(c) >= 0) {
        return "it has the character " + c;
      }
    }
    if (name.endsWith(".") || name.endsWith(" ")) {
      return "it ends in a " + (name.endsWith(".") ? "dot" : "blank") + ", which is left out there";
    }
    return isDevice(name) ? "it is that of a device" : null;
  }

  private static boolean isDevice(String name) {
    int dot = name.indexOf('.');
    String stem = (dot < 0 ? name : name.substring(0, dot)).strip().toUpperCase(Locale.ROOT);
    return DEVICES.contains(stem)
        || (stem.length() == 4
            && (stem.startsWith("COM") || stem.startsWith("LPT"))
            && PORTS.indexOf(stem.charAt(3)) >= 0);
  }
}
