package dev.zarrreactive.store.file;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Refuses keys that a file system would take for other ones: on macOS and Windows {@code Foo} and
 * {@code foo} are one file, and they are two keys.
 *
 * <p>Whether the file system folds case is found out by the first file that a key leads to, with
 * one call: is there the same file under the name in the other case? A file system that folds none
 * costs nothing after that. On one that does, the names of directories are compared once, and that
 * of a file with each access, where it has letters.
 */
final class NameCase {
  /** Directories whose names were compared; forgotten together when there are more. */
  private static final int MOST_KNOWN = 10_000;

  private final Path base;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Null until a file has told it. */
  private volatile @Nullable Boolean isFolded;

  NameCase(Path base) {
    this.base = base;
  }

  /**
   * Checks each name of a key, or of the directory of a prefix, as far as there are files.
   *
   * @throws NotAValueException if a file or a directory has the name in another case
   */
  void check(String value) {
    if (Boolean.FALSE.equals(isFolded)) {
      return;
    }
    for (int start = 0; start < value.length(); ) {
      int slash = value.indexOf('/', start);
      int end = slash < 0 ? value.length() : slash;
      if (hasCase(value, start, end) && !isAsStored(value, start, end, slash >= 0)) {
        return;
      }
      start = end + 1;
    }
  }

  /** Forgets the names of directories, which an erasure or a move may have removed. */
  void forget() {
    known.clear();
  }

  /** Returns false if nothing is there, or if case makes no difference between files. */
  private boolean isAsStored(String value, int start, int end, boolean isDirectory) {
    String above = value.substring(0, end);
    if (known.contains(above)) {
      return true;
    }
    Path path = base.resolve(above);
    try {
      if (!isFolded(path, value.substring(start, end))) {
        return false;
      }
      String name = value.substring(start, end);
      String stored = storedName(path);
      if (!name.equals(stored) && fold(name).equals(fold(stored)) && !isEqual(name, stored)) {
        throw new NotAValueException(
            "this file system does not tell capital letters from small ones, and it holds \""
                + stored
                + "\" where the key has \""
                + name
                + "\" ("
                + path.resolveSibling(stored)
                + "); use the name that is there, or another one",
            Location.ofKey(value));
      }
    } catch (IOException e) {
      return false; // nothing is there, or it cannot be looked at: the access itself tells
    }
    if (isDirectory) {
      if (known.size() >= MOST_KNOWN) {
        known.clear();
      }
      known.add(above);
    }
    return true;
  }

  private boolean isFolded(Path path, String name) throws IOException {
    Boolean found = isFolded;
    if (found != null) {
      return found;
    }
    if (!Files.exists(path)) {
      return false; // tells nothing
    }
    Path other = path.resolveSibling(swapped(name));
    boolean isSame = Files.exists(other) && Files.isSameFile(path, other);
    isFolded = isSame;
    return isSame;
  }

  /** Returns the name that the directory holds. That of a link is its own, not its target's. */
  private static String storedName(Path path) throws IOException {
    Path real =
        Files.isSymbolicLink(path) ? path.toRealPath(LinkOption.NOFOLLOW_LINKS) : path.toRealPath();
    return String.valueOf(real.getFileName());
  }

  /** Returns true for names that differ in Unicode normalisation alone: HFS+ changes it. */
  private static boolean isEqual(String name, String stored) {
    return normal(name).equals(normal(stored));
  }

  private static String fold(String name) {
    return normal(name).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private static String normal(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC);
  }

  private static boolean hasCase(String value, int start, int end) {
    for (int at = start; at < end; ) {
      int letter = value.codePointAt(at);
      if (swapped(letter) != letter) {
        return true;
      }
      at += Character.charCount(letter);
    }
    return false;
  }

  private static String swapped(String name) {
    return name.codePoints()
        .map(NameCase::swapped)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static int swapped(int letter) {
    int upper = Character.toUpperCase(letter);
    return upper == letter ? Character.toLowerCase(letter) : upper;
  }
}
