package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Writes values to files, whole or not at all: the value goes to a temporary file next to its own,
 * which then takes its place in one step. Directories are made on the way; whoever removes them at
 * the same time because they are empty only causes another attempt.
 */
final class FileWrites {
  private static final int ATTEMPTS = 100;

  private FileWrites() {}

  /** Writes {@code value} to the file of {@code key}. */
  static void write(FileKeys keys, StoreKey key, Bytes value, Precondition precondition)
      throws IOException {
    Path file = keys.file(key);
    if (precondition == Precondition.ABSENT && Files.isRegularFile(file)) {
      throw exists(key);
    }
    checkVersion(keys, key, file, precondition);
    for (int attempt = 1; ; attempt++) {
      try {
        attempt(keys, key, file, value, precondition);
        return;
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        makeDirectories(key, file);
      }
    }
  }

  private static void attempt(
      FileKeys keys, StoreKey key, Path file, Bytes value, Precondition precondition)
      throws IOException {
    Path temporary = file.resolveSibling(FileKeys.temporaryName());
    try {
      fill(key, temporary, value);
      FileVersions.stamp(temporary);
      FileLocks.alone(
          file,
          () -> {
            checkVersion(keys, key, file, precondition);
            if (precondition == Precondition.ABSENT) {
              create(key, temporary, file);
            } else {
              replace(key, temporary, file);
            }
            return true;
          });
    } finally {
      deleteQuietly(temporary);
    }
  }

  private static void checkVersion(
      FileKeys keys, StoreKey key, Path file, Precondition precondition) throws IOException {
    Version wanted = precondition.version();
    if (wanted != null) {
      Version now = FileVersions.now(keys, file);
      if (!wanted.equals(now)) {
        throw Fallbacks.notThatVersion(key, wanted, now);
      }
    }
  }

  private static void fill(StoreKey key, Path temporary, Bytes value) throws IOException {
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
      int from = value.unsafeOffset();
      ByteBuffer buffer = ByteBuffer.wrap(value.unsafeArray(), from, value.size());
      int end = buffer.limit();
      while (buffer.position() < end) {
        buffer.limit(Math.min(end, buffer.position() + FileReads.WINDOW));
        channel.write(buffer);
      }
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      throw belowAValue(key, temporary, e);
    }
  }

  private static void replace(StoreKey key, Path temporary, Path file) throws IOException {
    try {
      moveOver(temporary, file);
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException e) {
      makeRoom(key, file, e);
      moveOver(temporary, file);
    }
  }

  private static void moveOver(Path temporary, Path file) throws IOException {
    try {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** A second name for the temporary file: one step that fails where the name is taken. */
  private static void create(StoreKey key, Path temporary, Path file) throws IOException {
    try {
      link(temporary, file);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(key);
      }
      makeRoom(key, file, e);
      link(temporary, file);
    }
  }

  private static void link(Path temporary, Path file) throws IOException {
    try {
      Files.createLink(file, temporary);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      claim(temporary, file);
    }
  }

  /**
   * For file systems without hard links: takes the name with an empty file, which only one can, and
   * replaces that. For an instant the value is empty.
   */
  static void claim(Path temporary, Path file) throws IOException {
    Files.createFile(file);
    moveOver(temporary, file);
  }

  /** A directory without values is nothing to a store; one with values stays. */
  private static void makeRoom(StoreKey key, Path file, FileSystemException cause)
      throws IOException {
    if (!Files.isDirectory(file)) {
      throw cause;
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.delete(file);
        return;
      } catch (DirectoryNotEmptyException e) {
        cause.addSuppressed(e);
      }
    }
    throw new StoreException(
        "a file system cannot hold a value at the key and others below it: "
            + file
            + " is a directory",
        Location.ofKey(key.value()),
        cause);
  }

  private static void makeDirectories(StoreKey key, Path file) throws IOException {
    Path parent = file.getParent();
    if (parent == null) {
      return;
    }
    try {
      Files.createDirectories(parent);
    } catch (NoSuchFileException e) {
      // removed again while they were made: the next attempt makes them again
    } catch (FileSystemException e) {
      IOException obstacle = belowAValue(key, file, e);
      if (!(e instanceof FileAlreadyExistsException)) {
        throw obstacle;
      }
      // a directory was there, and was removed before the JDK looked what it was: as above
    }
  }

  private static IOException belowAValue(StoreKey key, Path file, FileSystemException cause) {
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        if (Files.isDirectory(above)) {
          return cause;
        }
        throw new StoreException(
            "a file system cannot hold a value below another: " + above + " is a file",
            Location.ofKey(key.value()),
            cause);
      }
    }
    return cause;
  }

  private static PreconditionFailedException exists(StoreKey key) {
    return new PreconditionFailedException(
        "there is a value at the key already", Location.ofKey(key.value()));
  }

  private static void deleteQuietly(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      // hidden from every listing; erasing the prefix removes it later
    }
  }
}
