package dev.zarrreactive.store.file;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Version;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Versions of files: the number of the file, its time of change and its length. The clock of a file
 * system may stand still for some milliseconds, in which the next file of the same length may reuse
 * the number of a replaced one. So every written file gets a time that is unique in this process
 * and later than the time of the replaced file. Several processes that keep replacing one file
 * never make the same version twice.
 */
final class FileVersions {
  private static final long NANOS = 1_000_000_000;

  /** The resolution of time in most file systems. */
  private static final long STEP_NANOS = 1_000;

  /** Some file systems have a resolution of a millisecond, a second, or two seconds. */
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

  /** Returns the current version of the value at {@code file}; null if it is missing. */
  static @Nullable Version now(FileKeys keys, StoreKey key, Path file) throws IOException {
    BasicFileAttributes found = keys.find(key, file);
    return found == null ? null : of(found);
  }

  /**
   * Returns the current version of the value at {@code file}, for a change of {@code wanted}. A
   * network file system may cache attributes for some seconds; opening a file revalidates them.
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

  /** Gives a file that is being written a unique time. */
  static void stamp(Path temporary) {
    Instant now = Instant.now();
    long stamp =
        LAST_STAMP.accumulateAndGet(
            now.getEpochSecond() * NANOS + now.getNano(),
            (last, current) -> Math.max(last + STEP_NANOS, current));
    FileTime time = FileTime.from(Instant.ofEpochSecond(stamp / NANOS, stamp % NANOS));
    try { // both times: for one alone the JDK asks for the other
      Files.getFileAttributeView(temporary, BasicFileAttributeView.class)
          .setTimes(time, time, null);
    } catch (IOException e) {
      // the less exact time of the file system stays
    }
  }

  /** Returns true if a file has a later time than {@code other}. */
  static boolean isAfter(Path file, FileTime other) throws IOException {
    return Files.getLastModifiedTime(file).compareTo(other) > 0;
  }

  /** Gives a file a later time than the file that it replaces. */
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
