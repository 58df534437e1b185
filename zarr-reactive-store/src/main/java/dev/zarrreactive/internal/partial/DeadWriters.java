package dev.zarrreactive.internal.partial;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the hidden files of writers that died. A writer of this machine is dead where the
 * operating system holds no lock on its file. Any other writer is dead where there is no lock and
 * the file is older than a day: some network file systems keep locks to each machine, and some have
 * none. Every call blocks.
 *
 * <p>POSIX frees all locks of a process on a file as soon as the process closes any channel of that
 * file. So this class opens no file that this process writes, and one thread looks at a time.
 */
public final class DeadWriters {
  private static final Duration ABANDONED = Duration.ofDays(1);

  private static final ReentrantLock LOOKING = new ReentrantLock();

  private DeadWriters() {}

  /** Returns the hidden files of dead writers in {@code directory}, which need not exist. */
  public static List<Path> find(Path directory) throws IOException {
    List<Path> dead = new ArrayList<>();
    for (Path file : hidden(directory)) {
      if (NameLock.ofHidden(file, () -> isDead(file, false))) {
        dead.add(file);
      }
    }
    return dead;
  }

  /** Removes the hidden files of dead writers in {@code directory}, and counts them. */
  public static int clean(Path directory) throws IOException {
    int removed = 0;
    for (Path file : hidden(directory)) {
      if (NameLock.ofHidden(file, () -> isDead(file, true))) {
        removed++;
      }
    }
    return removed;
  }

  /** The first file of a directory that is not hidden; null where it has hidden ones alone. */
  public static @Nullable Path firstVisible(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!PartialNames.isHidden(nameOf(file))) {
          return file;
        }
      }
      return null;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /**
   * Tells whether the writer of a hidden file is dead. For a lock, the calling thread is the only
   * one of this process that may use it.
   *
   * @param remove removes the file of a dead writer
   */
  static boolean isDead(Path file, boolean remove) throws IOException {
    LOOKING.lock();
    try {
      BasicFileAttributes found = attributes(file);
      if (found == null || !found.isRegularFile() || PartialFile.isOpenHere(nameOf(file))) {
        return false;
      }
      boolean isLock = PartialNames.isLock(nameOf(file));
      boolean isOld = isOld(found);
      if (!isLock && !isOld && !PartialNames.isOfThisMachine(nameOf(file))) {
        return false;
      }
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        return channel.tryLock(PartialFile.LOCKED_BYTE, 1, false) != null
            && isSame(found, attributes(file))
            && (isOld || !isLock || isOfThisMachine(file, found))
            && (!remove || Files.deleteIfExists(file));
      } catch (ClosedByInterruptException e) {
        throw e;
      } catch (NoSuchFileException | OverlappingFileLockException e) {
        return false;
      } catch (IOException e) {
        // another user's file, or a file system without locks
        return isOld && (!remove || Files.deleteIfExists(file));
      }
    } finally {
      LOOKING.unlock();
    }
  }

  /**
   * True where a lock is the second name of a file that was written on this machine. An empty lock
   * was made where files have no second names.
   */
  private static boolean isOfThisMachine(Path lock, BasicFileAttributes found) throws IOException {
    if (found.size() > 0) {
      for (Path file : hidden(Objects.requireNonNull(lock.getParent()))) {
        if (PartialNames.isOfThisMachine(nameOf(file)) && isSame(found, attributes(file))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Locks first: the file that a lock is a second name of tells its machine. */
  private static List<Path> hidden(Path directory) throws IOException {
    List<Path> hidden = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (PartialNames.isHidden(nameOf(file))) {
          hidden.add(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (NoSuchFileException e) {
      return List.of();
    }
    hidden.sort(Comparator.comparing(file -> !PartialNames.isLock(nameOf(file))));
    return hidden;
  }

  private static boolean isOld(BasicFileAttributes file) {
    return file.lastModifiedTime().toInstant().isBefore(Instant.now().minus(ABANDONED));
  }

  private static boolean isSame(BasicFileAttributes one, @Nullable BasicFileAttributes other) {
    return other != null
        && Objects.equals(one.fileKey(), other.fileKey())
        && one.lastModifiedTime().equals(other.lastModifiedTime())
        && one.size() == other.size();
  }

  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static String nameOf(Path file) {
    return String.valueOf(file.getFileName());
  }
}
