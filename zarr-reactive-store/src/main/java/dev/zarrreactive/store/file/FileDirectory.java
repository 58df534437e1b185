package dev.zarrreactive.store.file;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.internal.text.KeySegments;
import dev.zarrreactive.store.ListEntry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The files and directories in one directory that a store shows, one by one: all but hidden files
 * and names that cannot be keys. A pipe, a device and a link that leads nowhere are shown as files:
 * to read them is an error, and a copy must not leave them out.
 */
final class FileDirectory implements Closeable {
  private final Path path;
  private final Path base;
  private final DirectoryStream<Path> stream;
  private final Iterator<Path> children;

  private FileDirectory(Path path, Path base, DirectoryStream<Path> stream) {
    this.path = path;
    this.base = base;
    this.stream = stream;
    this.children = stream.iterator();
  }

  /**
   * One file or directory.
   *
   * @param size of a file, or {@link ListEntry.Key#UNKNOWN_SIZE}
   * @param isLinked whether it is a symbolic link to a directory
   * @param changed when it was written; null for a link
   */
  record Child(
      String name,
      Path path,
      boolean isDirectory,
      long size,
      boolean isLinked,
      @Nullable FileTime changed) {
    @Nullable Instant modified() {
      return changed == null ? null : changed.toInstant();
    }
  }

  /** Opens a directory, for the caller to close; null where none is there. */
  static @Nullable FileDirectory open(FileKeys keys, Path path) throws IOException {
    Path base = keys.base();
    try {
      return new FileDirectory(path, base, keys.openDirectory(path));
    } catch (NotDirectoryException e) {
      FileErrors.refuseFile(base);
      return null;
    } catch (IOException e) {
      if (FileErrors.isMissing(e, path, base)) {
        refuseDangling(path, base);
        return null;
      }
      throw e;
    }
  }

  /** Refuses a prefix below a dangling link, whose content is unknown rather than empty. */
  private static void refuseDangling(Path path, Path base) throws IOException {
    String below = base.relativize(path).toString();
    String prefix = below.replace(base.getFileSystem().getSeparator(), "/") + "/";
    for (Path at = path; at != null; at = at.equals(base) ? null : at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        FileKeys.follow(at, Location.ofKey(prefix));
      }
    }
  }

  /** Returns the next child; null after the last one. */
  @Nullable Child next() throws IOException {
    try {
      while (children.hasNext()) {
        Child child = look(path.resolve(children.next().getFileName()));
        if (child != null) {
          return child;
        }
      }
      return null;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private @Nullable Child look(Path child) throws IOException {
    String name = String.valueOf(child.getFileName());
    if (PartialNames.isHidden(name) || !isReadableName(name, child)) {
      return null;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isSymbolicLink()) {
        return new Child(
            name,
            child,
            attributes.isDirectory(),
            size(attributes),
            false,
            attributes.lastModifiedTime());
      }
      if (!Files.isDirectory(child)) {
        return new Child(name, child, false, sizeOfTarget(child), false, null);
      }
      return leadsBack(child)
          ? null
          : new Child(name, child, true, ListEntry.Key.UNKNOWN_SIZE, true, null);
    } catch (NoSuchFileException e) {
      return null; // removed meanwhile
    }
  }

  private static long size(BasicFileAttributes attributes) {
    return attributes.isRegularFile() ? attributes.size() : ListEntry.Key.UNKNOWN_SIZE;
  }

  private static long sizeOfTarget(Path link) {
    try {
      return size(Files.readAttributes(link, BasicFileAttributes.class));
    } catch (IOException e) {
      return ListEntry.Key.UNKNOWN_SIZE; // the link leads nowhere
    }
  }

  /**
   * Returns true for a link to one of its own parent directories. The keys below it repeat without
   * end, and are listed under another name already.
   */
  private boolean leadsBack(Path link) throws IOException {
    for (Path above = path; above != null; above = above.getParent()) {
      if (Files.isSameFile(above, link)) {
        return true;
      }
      if (above.equals(base)) {
        return false;
      }
    }
    return false;
  }

  /** Returns false for a name whose bytes cannot be decoded in this JVM's encoding. */
  private boolean isReadableName(String name, Path child) {
    return KeySegments.loneSurrogate(name) < 0
        && (name.indexOf('\uFFFD') < 0 || path.resolve(name).equals(child));
  }
}
