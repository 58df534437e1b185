package dev.zarrreactive.store.file;

import dev.zarrreactive.internal.partial.DeadWriters;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.internal.partial.PartialFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Removes the files of one directory, each under the lock of its name, and directories that are
 * empty. A hidden file of the eraser identifies the process that holds the lock.
 */
final class FileEraser {
  /**
   * Files that were seen in directories. While such a file exists, its directory need not be
   * listed.
   */
  private static final AtomicReferenceArray<@Nullable Path> SEEN = new AtomicReferenceArray<>(64);

  private @Nullable PartialFile mine;

  /** A check before a file is removed. */
  interface Check {
    void pass() throws IOException;
  }

  /**
   * Removes a file; has no effect if it is missing.
   *
   * @return false if another process holds the lock of its name
   */
  boolean erase(Path file, Check check) throws IOException {
    try {
      PartialFile carrier = mine == null ? carrier(file) : mine;
      mine = carrier;
      if (carrier == null) {
        check.pass();
        Files.deleteIfExists(file);
        return true;
      }
      return NameLock.whileHeld(
          file,
          carrier,
          held -> {
            check.pass();
            Files.deleteIfExists(file);
          });
    } catch (NoSuchFileException e) {
      close(); // the directory is gone, and the file with it; else the next attempt sees it
      return !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Removes the eraser's own file. */
  void close() {
    PartialFile carrier = mine;
    mine = null;
    if (carrier != null) {
      carrier.close();
    }
  }

  /** Removes directories that are empty, from {@code directory} up to the base but never it. */
  static void removeEmpty(@Nullable Path directory, Path base) throws IOException {
    Path empty = directory;
    while (empty != null && !empty.equals(base) && removeIfEmpty(empty)) {
      empty = empty.getParent();
    }
  }

  /**
   * Removes a directory that holds at most the files of dead writers. The file system removes only
   * an empty directory, in one step, so that a concurrently written value is not lost.
   */
  static boolean removeIfEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try {
      Files.delete(directory);
      return true;
    } catch (DirectoryNotEmptyException e) {
      return removeHidden(directory);
    } catch (FileSystemException e) {
      return false; // removed by another thread or process, or a mount point: no value is lost
    }
  }

  private static boolean removeHidden(Path directory) throws IOException {
    try {
      int slot = Math.floorMod(directory.hashCode(), SEEN.length());
      Path seen = SEEN.get(slot);
      boolean isSeen =
          seen != null
              && directory.equals(seen.getParent())
              && Files.exists(seen, LinkOption.NOFOLLOW_LINKS);
      if (isSeen) {
        return false;
      }
      Path value = DeadWriters.firstVisible(directory);
      SEEN.set(slot, value);
      if (value == null && DeadWriters.clean(directory) > 0) {
        Files.delete(directory);
        return true;
      }
    } catch (FileSystemException e) {
      // removed by another thread or process, or a mount point
    }
    return false;
  }

  /**
   * Creates a file of one byte, because an empty lock does not identify its writer. Null on a full
   * disk, where erasing must stay possible.
   */
  private static @Nullable PartialFile carrier(Path file) throws IOException {
    PartialFile carrier;
    try {
      carrier = PartialFile.create(Objects.requireNonNull(file.getParent()));
    } catch (NoSuchFileException | java.nio.file.AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      return null;
    }
    try {
      carrier.channel().write(ByteBuffer.allocate(1));
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        carrier.close();
        throw e;
      }
      // a full disk: an empty file is a lock, too
    }
    return carrier;
  }
}
