package dev.zarrreactive.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Erases values, and the directories that became empty, up to the base but never it. A directory is
 * removed only where it is empty, in one step, so that no value that somebody writes there
 * meanwhile is lost. Symbolic links are removed, what they lead to is not touched.
 */
final class FileErasure extends SimpleFileVisitor<Path> {
  /** A temporary file of this age was left by a process that died. */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private final Path top;

  private FileErasure(Path top) {
    this.top = top;
  }

  /**
   * Removes the file of {@code key}, where it has the version if there is one; nothing where it is
   * missing or a directory.
   */
  static void erase(FileKeys keys, StoreKey key, @Nullable Version version) throws IOException {
    Path file = keys.file(key);
    try {
      if (!Files.isDirectory(file)
          && FileLocks.alone(file, () -> delete(keys, key, file, version))) {
        removeEmpty(file.getParent(), keys.base());
      }
    } catch (IOException e) {
      if (!FileErrors.isMissing(e, file, keys.base())) {
        throw e;
      }
    }
  }

  /** Removes what is below {@code prefix}. */
  static void erase(FileKeys keys, StorePrefix prefix) throws IOException {
    Path directory = keys.directory(prefix);
    if (!Files.isDirectory(directory)) {
      return;
    }
    if (directory.equals(keys.base())) {
      Path real = directory.toRealPath(); // a base may be a link, and stays one
      Files.walkFileTree(real, new FileErasure(real));
    } else {
      Files.walkFileTree(directory, new FileErasure(keys.base()));
      removeEmpty(directory.getParent(), keys.base());
    }
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    boolean isBeingWritten =
        FileKeys.isTemporary(String.valueOf(file.getFileName()))
            && attributes.lastModifiedTime().toInstant().isAfter(Instant.now().minus(ABANDONED));
    if (!isBeingWritten) {
      FileLocks.alone(file, () -> Files.deleteIfExists(file));
    }
    return Thread.currentThread().isInterrupted()
        ? FileVisitResult.TERMINATE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException error) throws IOException {
    if (error instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw error;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
      throws IOException {
    if (error != null && !(error instanceof NoSuchFileException)) {
      throw error;
    }
    if (!directory.equals(top)) {
      removeIfEmpty(directory);
    }
    return FileVisitResult.CONTINUE;
  }

  private static boolean delete(FileKeys keys, StoreKey key, Path file, @Nullable Version version)
      throws IOException {
    Version now = version == null ? null : FileVersions.now(keys, file);
    if (version != null && now != null && !version.equals(now)) {
      throw Fallbacks.notThatVersion(key, version, now);
    }
    return Files.deleteIfExists(file);
  }

  private static void removeEmpty(@Nullable Path directory, Path base) {
    Path empty = directory;
    while (empty != null && !empty.equals(base) && removeIfEmpty(empty)) {
      empty = empty.getParent();
    }
  }

  private static boolean removeIfEmpty(Path directory) {
    try {
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(directory);
        return true;
      }
    } catch (IOException e) {
      // not empty, or somebody else removed it: either way nothing of the store is lost
    }
    return false;
  }
}
