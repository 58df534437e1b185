package dev.zarrreactive.store;

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
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The files and directories in one directory that a store may show, one by one: no temporary files,
 * no pipes, no links that lead nowhere.
 */
final class FileDirectory implements Closeable {
  private final Path path;
  private final DirectoryStream<Path> stream;
  private final Iterator<Path> children;

  private FileDirectory(Path path, DirectoryStream<Path> stream) {
    this.path = path;
    this.stream = stream;
    this.children = stream.iterator();
  }

  /** One file or directory. */
  record Child(String name, Path path, boolean isDirectory, boolean isLink) {}

  /** Opens a directory, for the caller to close; null where none is there. */
  @SuppressWarnings("StreamResourceLeak")
  static @Nullable FileDirectory open(Path path, Path base) throws IOException {
    try {
      return new FileDirectory(path, Files.newDirectoryStream(path));
    } catch (NotDirectoryException e) {
      FileErrors.refuseFile(base);
      return null;
    } catch (IOException e) {
      if (FileErrors.isMissing(e, path, base)) {
        return null;
      }
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** The next one; null where all are through. */
  @Nullable Child next() throws IOException {
    try {
      while (children.hasNext()) {
        Child child = look(children.next());
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
    if (FileKeys.isTemporary(name) || !isReadableName(name, child)) {
      return null;
    }
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean isLink = attributes.isSymbolicLink();
      if (isLink) {
        attributes = Files.readAttributes(child, BasicFileAttributes.class);
      }
      return attributes.isDirectory() || attributes.isRegularFile()
          ? new Child(name, child, attributes.isDirectory(), isLink)
          : null;
    } catch (NoSuchFileException e) {
      return null; // gone meanwhile, or a link that leads nowhere
    }
  }

  /** False for bytes that are no characters in this JVM's encoding: no key stands for them. */
  private boolean isReadableName(String name, Path child) {
    return name.indexOf('\uFFFD') < 0 || path.resolve(name).equals(child);
  }
}
