package dev.zarrreactive.store.file;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Opens what lies below a directory, and nothing beside it, also while another program changes
 * links. A path that was checked may lead elsewhere when it is opened. So the links of the path are
 * resolved first; then each directory on the way is opened from the one above it, and no link is
 * followed. Some file systems cannot open in this way: there the class compares the real path
 * afterwards.
 */
final class OpenWithin {
  private static final int ATTEMPTS = 16;

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  private OpenWithin() {}

  /** Opens something at a path without links, from the directory at {@code top}. */
  private interface Way<T extends AutoCloseable> {
    T open(Path top, Path way) throws IOException;
  }

  /** Opens a file to read it; an {@link AccessDeniedException} if it is not below {@code base}. */
  static FileChannel file(Path base, Path file) throws IOException {
    return open(base, file, OpenWithin::fileAt);
  }

  /** Opens a directory, for the caller to close; fails as {@link #file} does. */
  static DirectoryStream<Path> directory(Path base, Path directory) throws IOException {
    return open(base, directory, OpenWithin::directoryAt);
  }

  private static <T extends AutoCloseable> T open(Path base, Path path, Way<T> opening)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      Path top = base.toRealPath();
      Path way = way(top, base, path);
      try {
        return opening.open(top, way);
      } catch (ChangedLinkException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Returns where a path really is, from {@code top}. */
  private static Path way(Path top, Path base, Path path) throws IOException {
    Path real = path.toRealPath();
    if (!real.startsWith(top)) {
      throw leadsOut(base, base.relativize(path).toString());
    }
    return top.relativize(real);
  }

  /** Returns the error of a path that a link leads out of {@code base}. */
  static AccessDeniedException leadsOut(Path base, String value) {
    return new AccessDeniedException(
        "a symbolic link leads to it out of " + base + ", and this store follows none there",
        Location.ofKey(value.replace(base.getFileSystem().getSeparator(), "/")));
  }

  /** Opens the file at {@code way} below {@code top}. */
  static FileChannel fileAt(Path top, Path way) throws IOException {
    Path above = way.getParent();
    try (DirectoryStream<Path> directory = directoryAt(top, above == null ? top : above)) {
      if (directory instanceof SecureDirectoryStream<Path> secure) {
        Path name = way.getFileName();
        refuseLink(secure, name);
        SeekableByteChannel channel = secure.newByteChannel(name, READ);
        if (channel instanceof FileChannel file) {
          return file;
        }
        channel.close();
      }
    }
    Path file = top.resolve(way);
    return unchanged(FileChannel.open(file, READ), file);
  }

  /** Opens the directory at {@code way} below {@code top}; {@code top} itself where both equal. */
  @SuppressWarnings("StreamResourceLeak")
  static DirectoryStream<Path> directoryAt(Path top, Path way) throws IOException {
    DirectoryStream<Path> at = Files.newDirectoryStream(top);
    if (way.equals(top) || way.toString().isEmpty()) {
      return at;
    }
    for (Path name : way) {
      try (DirectoryStream<Path> above = at) {
        if (!(above instanceof SecureDirectoryStream<Path> secure)) {
          Path directory = top.resolve(way);
          return unchanged(Files.newDirectoryStream(directory), directory);
        }
        if (!refuseLink(secure, name).isDirectory()) { // to open a pipe waits for a writer
          throw new NotDirectoryException(top.resolve(way).toString());
        }
        at = secure.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
      }
    }
    return at;
  }

  private static BasicFileAttributes refuseLink(SecureDirectoryStream<Path> above, Path name)
      throws IOException {
    BasicFileAttributes found =
        above
            .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes();
    if (found.isSymbolicLink()) {
      throw new ChangedLinkException(name);
    }
    return found;
  }

  private static <T extends AutoCloseable> T unchanged(T opened, Path real) throws IOException {
    if (real.equals(real.toRealPath())) {
      return opened;
    }
    try (opened) {
      throw new ChangedLinkException(real);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** A link has changed since the path was resolved. */
  private static final class ChangedLinkException extends FileSystemException {
    private static final long serialVersionUID = 1L;

    ChangedLinkException(Path at) {
      super(at.toString(), null, "a symbolic link has changed while it was followed");
    }
  }
}
