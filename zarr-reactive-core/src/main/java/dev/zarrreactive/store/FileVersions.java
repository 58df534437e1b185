package dev.zarrreactive.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Versions of files: the number of the file, its time of change and its length. The clock of a file
 * system may stand still for some milliseconds, in which the number of a file that was replaced may
 * be given to the next one, of the same length. So every file that is written here gets a time that
 * no other file of this process has, and that is later than the time of the file that it replaces.
 * Replacing one file again and again, processes never make the same version twice.
 */
final class FileVersions {
  private static final long NANOS = 1_000_000_000;

  /** As fine as most file systems keep. */
  private static final long STEP_NANOS = 1_000;

  /** Some file systems keep milliseconds, seconds, or every other second. */
  private static final long[] STEPS = {STEP_NANOS, 1_000_000, NANOS, 2 * NANOS, 4 * NANOS};

  private static final AtomicLong LAST_STAMP = new AtomicLong();

  private FileVersions() {}

  static Version of(BasicFileAttributes file) {
    Instant changed = file.lastModifiedTime().toInstant();
    String which = file.fileKey() == null ? "" : file.fileKey() + "-";
    return new Version(
        which
            + Long.toHexString(changed.getEpochSecond())
            + "."
            + Integer.toHexString(changed.getNano())
            + "-"
            + Long.toHexString(file.size()));
  }

  /** The version of the value that is at {@code file} now; null where there is none. */
  static @Nullable Version now(FileKeys keys, StoreKey key, Path file) throws IOException {
    BasicFileAttributes found = FileValues.find(keys, key, file);
    return found == null ? null : of(found);
  }

  /**
   * The version of the value that is at {@code file} now, for a change of {@code wanted}. A network
   * file system may remember attributes for some seconds; to open a file makes it ask the server.
   */
  static @Nullable Version fresh(FileKeys keys, StoreKey key, Path file, Version wanted)
      throws IOException {
    Version remembered = now(keys, key, file);
    if (!wanted.equals(remembered)) {
      return remembered;
    }
    try (FileChannel opened = FileChannel.open(file, StandardOpenOption.READ)) {
      return opened.isOpen() ? now(keys, key, file) : null;
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /** Gives a file that is being written a time of its own. */
  static void stamp(Path temporary) {
    Instant now = Instant.now();
    long stamp =
        LAST_STAMP.accumulateAndGet(
            now.getEpochSecond() * NANOS + now.getNano(),
            (last, current) -> Math.max(last + STEP_NANOS, current));
    try {
      Files.setLastModifiedTime(
          temporary, FileTime.from(Instant.ofEpochSecond(stamp / NANOS, stamp % NANOS)));
    } catch (IOException e) {
      // the file system's own time stays, which is less exact
    }
  }

  /** Returns true where a file has a later time than {@code other}. */
  static boolean isAfter(Path file, FileTime other) throws IOException {
    return Files.getLastModifiedTime(file).compareTo(other) > 0;
  }

  /** Gives a file that will replace another one a later time than that one has. */
  static void stampAfter(Path partial, FileTime replaced) throws IOException {
    stamp(partial);
    for (long step : STEPS) {
      if (isAfter(partial, replaced)) {
        return;
      }
      Files.setLastModifiedTime(partial, FileTime.from(replaced.toInstant().plusNanos(step)));
    }
  }
}
