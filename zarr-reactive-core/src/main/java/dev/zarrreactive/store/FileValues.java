package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Tells a value from a missing one, and both from everything else that a file system can have at
 * the path of a key. A value is missing only where nothing is: an array that was not fetched, or
 * whose metadata are those of another one, would read as fill values otherwise.
 */
final class FileValues {
  private FileValues() {}

  /**
   * The attributes of the file at {@code file}, links followed; null where nothing is.
   *
   * @throws StoreException where something else is there, or on the way there
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
      checkWay(keys.base(), file, place); // the way may lead through a file
      throw e;
    }
    if (found.isSymbolicLink()) {
      found = follow(file, place);
    }
    if (!found.isRegularFile()) {
      throw new StoreException(
          file
              + " is "
              + (found.isDirectory() ? "a directory" : "a pipe, a socket or a device")
              + ", and not a file that holds a value",
          place);
    }
    return found;
  }

  /**
   * Checks that the way to a path where nothing is leads through directories, down to the first one
   * that is missing.
   */
  static void checkWay(Path base, Path path, Location place) throws IOException {
    for (Path at = path.getParent(); at != null && !at.equals(base); at = at.getParent()) {
      BasicFileAttributes found = attributesIfPresent(at);
      if (found != null && found.isSymbolicLink()) {
        found = follow(at, place);
      }
      if (found != null && !found.isDirectory()) {
        throw new StoreException(at + " is a file, and the key needs a directory there", place);
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

  /** The attributes of what a symbolic link leads to; an error where it leads nowhere. */
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
