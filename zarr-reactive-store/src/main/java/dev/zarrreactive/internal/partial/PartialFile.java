package dev.zarrreactive.internal.partial;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A hidden file that is being written. The writer holds a lock of the operating system on it until
 * it is closed. The system frees the lock when the process dies, so that other processes tell the
 * file of a live writer from that of a dead one. Every call blocks.
 */
public final class PartialFile implements Closeable {
  /** Beyond the data, for some systems refuse reads of the bytes that are locked. */
  static final long LOCKED_BYTE = 1L << 60;

  /**
   * Closing any channel of a file frees all locks that this process has on it: see {@link
   * DeadWriters}.
   */
  private static final Set<String> OPEN_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private FileChannel channel;

  private PartialFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes a new file in {@code directory}.
   *
   * @throws NoSuchFileException where there is no such directory
   */
  public static PartialFile create(Path directory) throws IOException {
    String name = PartialNames.next();
    Path path = directory.resolve(name);
    OPEN_HERE.add(name);
    PartialFile made;
    try {
      made =
          new PartialFile(
              path,
              FileChannel.open(
                  path,
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE));
    } catch (IOException | RuntimeException e) {
      OPEN_HERE.remove(name);
      throw e;
    }
    try {
      made.hold();
      return made;
    } catch (IOException | RuntimeException e) {
      made.close();
      throw e;
    }
  }

  /** Returns true while this process has a hidden file that is neither finished nor removed. */
  public static boolean areOpenHere() {
    return !OPEN_HERE.isEmpty();
  }

  /** True where this process is writing the file of this name. */
  static boolean isOpenHere(String name) {
    return OPEN_HERE.contains(name);
  }

  /** The file. */
  public Path path() {
    return path;
  }

  /** The file, to be read and written. */
  public FileChannel channel() {
    return channel;
  }

  /** A change of the file's attributes. */
  public interface Change {
    /** Makes the change. */
    void make() throws IOException;
  }

  /**
   * Ends the writing: a network file system says only now that it could not store the bytes. Then
   * changes the attributes of the file, for which the JDK opens the file and closes it again: POSIX
   * frees the writer's lock with that. So the writer takes the lock again, and changes nothing
   * while it holds the lock of a name.
   *
   * @throws NoSuchFileException where another process has removed the file meanwhile
   */
  public void settle(Change attributes) throws IOException {
    channel.close();
    attributes.make();
    channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    hold();
  }

  /** Removes the file, where it still has its name, and lets go of it. Later calls do nothing. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // hidden from every listing; clean, erase and erasePrefix remove it later
    }
    try {
      channel.close();
    } catch (IOException e) {
      // the file was given up, or has its place and was settled before
    } finally {
      OPEN_HERE.remove(String.valueOf(path.getFileName()));
    }
  }

  private void hold() throws IOException {
    try {
      FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
      if (lock == null) {
        throw new NoSuchFileException(
            path.toString(), null, "another program removed the file while it was made");
      }
    } catch (OverlappingFileLockException e) {
      throw new IOException("this process holds a lock on the new file " + path, e);
    } catch (ClosedByInterruptException | NoSuchFileException e) {
      throw e;
    } catch (IOException e) {
      // a file system without locks: there the age of a file tells that its writer is dead
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
