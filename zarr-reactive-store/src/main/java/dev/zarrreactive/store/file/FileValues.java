package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a value, a missing value, and other kinds of files at the path of a key. A value is
 * missing only if there is no file. Otherwise an array that git-annex has not fetched would read as
 * fill values.
 */
final class FileValues {
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_PATH = 4_096;

  private FileValues() {}

  /**
   * Returns the attributes of the file at {@code file}, with links followed; null if there is none.
   *
   * @throws StoreException if there is another kind of file at the path or at one of its parents
   */
  static @Nullable BasicFileAttributes find(FileKeys keys, StoreKey key, Path file)
      throws IOException {
    Location place = Location.ofKey(key.value());
    BasicFileAttributes found;
    try {
      found = attributes(file, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      checkWay(keys.base(), file, place);
      return null;
    } catch (java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      checkWay(keys.base(), file, place); // a parent may be a file
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
  static void checkWay(Path base, Path path, Location place) throws IOException {
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
}
